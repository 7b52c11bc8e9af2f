-- Notifications and indications.
local ble = require "ble"
local lab = require "support.lab"
local task = require "task"
local test = require "test"

local world = { world = "lab" }

--- Subscribes; gives the list that fills, and the subscription.
local function listen(dev, ref, options)
  local values = {}
  local subscription = dev:subscribe(ref, function(value) values[#values + 1] = value end, options)
  return values, subscription
end

test("a handler gets the values in order", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local values = listen(dev, lab.notify)
  for i = 1, 5 do t.order("lab notify notify 0" .. i) end
  t.eventually(function() return #values == 5 end, 3)
  t.equal(values, { "\1", "\2", "\3", "\4", "\5" })
end)

test("B05 an empty value is a value, and does not end the stream", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local values = listen(dev, lab.notify)
  t.order "lab notify notify 01"
  t.order "lab notify notify"
  t.order "lab notify notify 02"
  t.eventually(function() return #values == 3 end, 3)
  t.equal(values, { "\1", "", "\2" })
end)

test("B05 the same value again is another value", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local values = listen(dev, lab.notify)
  for _ = 1, 3 do t.order "lab notify notify 07" end
  t.eventually(function() return #values == 3 end, 3)
  t.equal(values, { "\7", "\7", "\7" })
end)

test("the iterator ends after `count` values", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local reader = task.spawn(function()
    local values = {}
    for value in dev:notifications(lab.notify, { count = 2, as = "u8" }) do values[#values + 1] = value end
    return values
  end)
  local characteristic = dev:characteristic(lab.notify)
  t.eventually(function() return characteristic.notifying end, 3)
  for i = 1, 3 do t.order("lab notify notify 0" .. i) end
  t.equal(reader:wait(), { 1, 2 })
  t.eventually(function() return not characteristic.notifying end, 3, "it unsubscribes at the end")
end)

test("the iterator's time-out is for each value", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local before = task.now()
  local err = t.raises("timeout", function()
    for _ in dev:notifications(lab.notify, { timeout = 1 }) do t.ok(false, "nothing was notified") end
  end)
  t.near(task.now() - before, 1.1, 0.5)
  t.equal(err.device, lab.lab)
  t.eventually(function() return not dev:characteristic(lab.notify).notifying end, 3)
end)

test("leaving the loop unsubscribes", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local reader = task.spawn(function()
    for value in dev:notifications(lab.notify) do return value end -- luacheck: ignore 512
  end)
  local characteristic = dev:characteristic(lab.notify)
  t.eventually(function() return characteristic.notifying end, 3)
  t.order "lab notify notify 2a"
  t.equal(reader:wait(), "*")
  t.eventually(function() return not characteristic.notifying end, 3)
end)

test("cancel ends a subscription; the others go on", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local first, subscription = listen(dev, lab.notify)
  local second = listen(dev, lab.notify)
  t.order "lab notify notify 01"
  t.eventually(function() return #first == 1 and #second == 1 end, 3)
  subscription:cancel()
  subscription:cancel()
  t.order "lab notify notify 02"
  t.eventually(function() return #second == 2 end, 3)
  task.sleep(0.2)
  t.equal(first, { "\1" })
  t.equal(second, { "\1", "\2" })
end)

test("unsubscribed and subscribed again", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  for i = 1, 3 do
    local values, subscription = listen(dev, lab.notify)
    t.order("lab notify notify 0" .. i)
    t.eventually(function() return #values == 1 end, 3)
    t.equal(values, { string.char(i) })
    subscription:cancel()
  end
end)

test("what nobody subscribed to does not arrive", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local values = listen(dev, lab.notify)
  t.order "lab indicate indicate 01"
  t.order "lab notify both 02"
  t.order "lab notify notify 03"
  t.eventually(function() return #values == 1 end, 3)
  t.equal(values, { "\3" })
end)

test("indications", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local values = listen(dev, lab.indicate)
  for i = 1, 3 do t.order("lab indicate indicate 0" .. i) end
  t.eventually(function() return #values == 3 end, 3)
  t.equal(values, { "\1", "\2", "\3" })
end)

test("a characteristic with both is notified", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local values = listen(dev, lab.both)
  t.order "lab notify both 01"
  t.eventually(function() return #values == 1 end, 3)
  t.equal(values, { "\1" })
end)

test("two characteristics at once", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local notified, indicated = listen(dev, lab.notify), listen(dev, lab.indicate)
  t.order "lab notify notify 01"
  t.order "lab indicate indicate 02"
  t.eventually(function() return #notified == 1 and #indicated == 1 end, 3)
  t.equal({ notified, indicated }, { { "\1" }, { "\2" } })
end)

test("`as` decodes each value", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local values = listen(dev, lab.notify, { as = "u16" })
  t.order "lab notify notify 0102"
  t.eventually(function() return #values == 1 end, 3)
  t.equal(values, { 0x0201 })
end)

test("X2 a read of one's own is not a notification", world, function(t)
  local dev <close> = ble.connect(lab.pulse)
  local values = listen(dev, "2a19")
  for _ = 1, 3 do t.equal(dev:read "2a19", "\x55") end
  t.order "pulse notify 2a19 54"
  t.eventually(function() return #values >= 1 end, 3)
  task.sleep(0.2)
  t.equal(values, { "\x54" })
end)

test("X2 a notification equal to what was read before is one", world, function(t)
  local dev <close> = ble.connect(lab.pulse)
  local values = listen(dev, "2a19")
  t.equal(dev:read "2a19", "\x55")
  t.order "pulse notify 2a19 55"
  t.eventually(function() return #values >= 1 end, 3)
  t.equal(dev:read "2a19", "\x55")
  task.sleep(0.2)
  t.equal(values, { "\x55" })
end)

test("X4 a device that refuses the subscription", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local err = t.raises(function() dev:subscribe(lab.deaf, function() end) end)
  t.ok(err.code == "att" or err.code == "not_authorized", tostring(err))
  t.equal(err.op, "subscribe")
  t.equal(err.ref, lab.deaf)
  t.equal(dev:characteristic(lab.deaf).notifying, false)
end)

test("X4 a characteristic that does not notify", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local err = t.raises("unsupported", function() dev:subscribe(lab.read, function() end) end)
  t.ok(err.message:find "read write", err.message)
  t.raises("unsupported", function() dev:notifications(lab.read) end)
  t.raises("not_found", function() dev:notifications "2a37" end)
end)

test("the iterator raises when the link is lost", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local got = {}
  local reader = task.spawn(function()
    return t.raises("disconnected", function()
      for value in dev:notifications(lab.notify) do got[#got + 1] = value end
    end)
  end)
  t.eventually(function() return dev:characteristic(lab.notify).notifying end, 3)
  t.order "lab notify notify 01"
  t.order "lab disconnect"
  t.equal(reader:wait().device, lab.lab)
  t.equal(got, { "\1" }, "what came before the end is delivered")
end)

test("a handler's subscription ends quietly with the link, and can be made again", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local values, subscription = listen(dev, lab.notify)
  t.order "lab disconnect"
  subscription:wait()
  local again <close> = ble.connect(lab.lab)
  t.equal(again:characteristic(lab.notify).notifying, false, "nobody has subscribed on this link")
  local later = listen(again, lab.notify)
  t.order "lab notify notify 02"
  t.eventually(function() return #later == 1 end, 3)
  t.equal({ values, later }, { {}, { "\2" } })
end)

test("a device that hangs up during the subscription", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local read = task.spawn(function() pcall(dev.read, dev, lab.silent) end)
  local waiting = task.spawn(function()
    return t.raises("disconnected", function() dev:subscribe(lab.notify, function() end) end)
  end)
  task.sleep(0.3)
  t.order "lab disconnect"
  t.equal(waiting:wait().op, "subscribe")
  read:wait()
end)

test("a slow reader: the oldest values go, and are counted", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local values, go = {}, task.channel()
  local subscription = dev:subscribe(lab.notify, function(value)
    values[#values + 1] = value
    go()
  end, { buffer = 2 })
  t.order "lab notify notify 01"
  t.eventually(function() return #values == 1 end, 3)
  for i = 2, 6 do t.order("lab notify notify 0" .. i) end
  t.eventually(function() return subscription.dropped == 3 end, 3)
  go:close()
  t.eventually(function() return #values == 3 end, 3)
  t.equal(values, { "\1", "\5", "\6" })
end)

test("L09 a subscription lives though the script holds nothing of it", world, function(t)
  local values = {}
  do
    local dev = ble.connect(lab.lab)
    dev:subscribe(lab.notify, function(value) values[#values + 1] = value end)
  end
  collectgarbage()
  collectgarbage()
  t.order "lab notify notify 01"
  t.eventually(function() return #values == 1 end, 3)
  ble.device(lab.lab):disconnect()
end)
