-- `ble.keep`: a connection that comes back, whatever happens to the link, the adapter or bluetoothd.
local ble = require "ble"
local keeping = require "support.keeping"
local lab = require "support.lab"
local task = require "task"
local test = require "test"

local world = { world = "lab" }
local hears, ends, listen = keeping.hears, keeping.ends, keeping.listen

test("link loss, a device that hangs up, and both again", world, function(t)
  local log = listen(lab.lab)
  hears(t, log, 1)
  t.order "lab disconnect"
  hears(t, log, 2)
  t.order "lab lose"
  hears(t, log, 3)
  t.order "lab disconnect"
  hears(t, log, 4)
  t.equal(#log.values, 4)
  ends(t, log)
end)

test("an adapter that is switched off and on", world, function(t)
  local adapter = ble.adapter "hci1"
  local _ <close> = lab.finally(function() adapter:power(true) end)
  local log = listen(lab.lab, { adapter = "hci1" })
  hears(t, log, 1)
  for number = 2, 3 do
    adapter:power(false)
    t.eventually(function() return not log.device.connected end, 5)
    task.sleep(3)
    t.equal(log.connections, number - 1)
    adapter:power(true)
    hears(t, log, number)
  end
  ends(t, log)
end)

test("switched on again, an adapter is used at once, however long the pauses are", world, function(t)
  local adapter = ble.adapter "hci1"
  local _ <close> = lab.finally(function() adapter:power(true) end)
  local log = listen(lab.lab, { adapter = "hci1", backoff = { first = 1, max = 60 } })
  hears(t, log, 1)
  adapter:power(false)
  task.sleep(15)
  t.equal(#log.errors, 1, "meanwhile nothing was tried")
  local before = task.now()
  adapter:power(true)
  t.eventually(function() return log.listening == 2 end, 15)
  t.ok(task.now() - before < 10)
  ends(t, log)
end)

test("B16 an adapter that is pulled out and plugged in", world, function(t)
  local log = listen(lab.lab, { adapter = "hci1" })
  hears(t, log, 1)
  t.order "hci1 unplug"
  t.eventually(function() return #ble.adapters() == 1 end, 5)
  task.sleep(3)
  t.equal(log.connections, 1)
  t.order "hci1 plug"
  hears(t, log, 2)
  ends(t, log)
end)

--- Has hci1 come back as hci0: the kernel gives the lowest number that is free.
local function renumber(t, log)
  hears(t, log, 1)
  t.equal(log.device.adapter, "hci1")
  t.order "hci0 unplug"
  t.order "hci1 unplug"
  t.eventually(function() return #ble.adapters() == 0 end, 5)
  t.equal(ble.state(), "unsupported")
  task.sleep(2)
  t.order "hci1 plug"
  hears(t, log, 2)
  t.equal(log.device.adapter, "hci0")
  t.equal(ble.adapter("hci0").address, "AA:BB:CC:00:00:02")
  ends(t, log)
end

--- Both adapters as they were: who is plugged in first gets the lower number.
local function plugged_again(t)
  return lab.finally(function()
    pcall(t.order, "hci0 unplug")
    pcall(t.order, "hci1 unplug")
    t.eventually(function() return #ble.adapters() == 0 end, 5)
    for i = 1, 2 do
      t.order("hci" .. i - 1 .. " plug")
      t.eventually(function()
        local adapters = ble.adapters()
        return adapters[i] and adapters[i].powered
      end, 10)
    end
  end)
end

test("B16 an adapter chosen by its address comes back under another name", world, function(t)
  local _ <close> = plugged_again(t)
  renumber(t, listen(lab.lab, { adapter = "AA:BB:CC:00:00:02" }))
end)

test("B16 a device's adapter comes back under another name", world, function(t)
  local _ <close> = plugged_again(t)
  renumber(t, listen(ble.device(lab.lab, { adapter = "hci1" })))
end)

test("the default adapter is pulled out: the next one is used", world, function(t)
  local _ <close> = plugged_again(t)
  local log = listen(lab.lab)
  hears(t, log, 1)
  t.equal(log.device.adapter, "hci0")
  t.order "hci0 unplug"
  hears(t, log, 2)
  t.equal(log.device.adapter, "hci1")
  ends(t, log)
end)

test("B15 bluetoothd restarts, twice", world, function(t)
  local log = listen(lab.lab)
  for number = 1, 2 do
    hears(t, log, number)
    t.order "bluetoothd restart"
  end
  hears(t, log, 3)
  ends(t, log)
end)

test("B15 bluetoothd crashes, and is started a while later", world, function(t)
  local _ <close> = lab.finally(function() pcall(t.order, "bluetoothd start") end)
  local log = listen(lab.lab)
  hears(t, log, 1)
  t.order "bluetoothd crash"
  task.sleep(5)
  t.equal(log.connections, 1)
  t.order "bluetoothd start"
  -- The kernel may go on with the discovery of the one that crashed, for 10.24 s, and refuse another.
  hears(t, log, 2, 40)
  ends(t, log)
end)

