-- Tasks and Bluetooth: who waits, in which order, and what a cancel ends.
local ble = require "ble"
local lab = require "support.lab"
local task = require "task"
local test = require "test"

local world = { world = "lab" }

test("B01 operations of one device run in the order they were asked for", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local order = {}
  local tasks = {}
  for i = 1, 8 do
    tasks[i] = task.spawn(function()
      if i % 2 == 0 then dev:read(lab.read) else dev:write(lab.command, tostring(i)) end
      order[#order + 1] = i
    end)
  end
  for _, waiting in ipairs(tasks) do waiting:wait() end
  t.equal(order, { 1, 2, 3, 4, 5, 6, 7, 8 })
  t.equal(dev:read(lab.command), "7")
  dev:write(lab.command, "")
end)

test("B01 two writes at once to one characteristic", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  for _ = 1, 5 do
    task.all { function() dev:write(lab.read, "one") end, function() dev:write(lab.read, "two") end }
    t.equal(dev:read(lab.read), "two")
  end
  dev:write(lab.read, "hello")
end)

test("the wait in the queue counts", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local slow = task.spawn(function() return dev:read(lab.slow) end)
  task.sleep(0.2)
  local before = task.now()
  local err = t.raises("timeout", function() dev:write(lab.read, "late", { timeout = 0.5 }) end)
  t.near(task.now() - before, 0.5, 0.3)
  t.equal(err.stage, "queue")
  t.equal(slow:wait(), "slow")
  t.equal(dev:read(lab.read), "hello", "what timed out in the queue was never sent")
end)

test("B01 a cancelled operation is never sent, and one under way does not disturb the next", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local slow = task.spawn(function() dev:read(lab.slow) end)
  local write = task.spawn(function() dev:write(lab.read, "never") end)
  task.sleep(0.2)
  write:cancel()
  slow:cancel()
  t.equal(slow.status, "cancelled")
  t.equal(write.status, "cancelled")
  t.equal(dev:read(lab.read), "hello")
  t.equal(dev:read(lab.slow), "slow")
end)

test("B33 the link drops with reads in the queue: all end, each once, in order", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local ended, tasks = {}, {}
  for i = 1, 5 do
    tasks[i] = task.spawn(function()
      local err = t.raises("disconnected", function() dev:read(i == 1 and lab.silent or lab.read, { timeout = 20 }) end)
      ended[#ended + 1] = i
      return err.op
    end)
  end
  task.sleep(0.3)
  t.order "lab disconnect"
  for _, waiting in ipairs(tasks) do t.equal(waiting:wait(), "read") end
  t.equal(ended, { 1, 2, 3, 4, 5 })
  t.raises("disconnected", function() dev:read(lab.read) end)
end)

test("many devices at once", world, function(t)
  local before = task.now()
  local results = task.all({ lab.lab, lab.pulse, lab.ghost, lab.lock }, function(address)
    local dev <close> = ble.connect(address)
    return #dev:services()
  end)
  t.equal(results, { 3, 4, 1, 2 })
  t.ok(task.now() - before < 15)
end)

test("operations of two devices run side by side", world, function(t)
  local slow <close> = ble.connect(lab.lab)
  local fast <close> = ble.connect(lab.pulse)
  local read = task.spawn(function() return slow:read(lab.slow) end)
  local before = task.now()
  for _ = 1, 5 do t.equal(fast:read "2a19", "\x55") end
  t.ok(task.now() - before < 1)
  t.equal(read.status, "waiting")
  t.equal(read:wait(), "slow")
end)

test("one that fails cancels the others, and their `<close>` values run", world, function(t)
  local closed
  local err = t.raises("not_found", function()
    task.all {
      function()
        local dev <close> = ble.connect(lab.lab)
        local _ <close> = lab.finally(function() closed = true end)
        dev:read(lab.silent)
      end,
      function() ble.connect(lab.nobody, { timeout = 2 }) end,
    }
  end)
  t.equal(err.device, lab.nobody)
  t.equal(closed, true)
  local dev = ble.device(lab.lab)
  t.eventually(function() return not dev.connected end, 5)
end)

test("a cancelled task disconnects what it had connected", world, function(t)
  local dev = ble.device(lab.pulse)
  local listening = task.spawn(function()
    local mine <close> = ble.connect(dev)
    for _ in mine:notifications "2a37" do task.sleep(0) end
  end)
  t.eventually(function() return dev.connected and dev.services_resolved end, 10)
  task.sleep(0.3)
  listening:cancel()
  t.equal(listening.status, "cancelled")
  t.eventually(function() return not dev.connected end, 5)
end)

-- The guest's kernel dies of a link that is taken down while its services are being discovered.
test("a connect that is cancelled leaves no link", { world = "lab", only = "simulator" }, function(t)
  local adv = ble.find { address = lab.pulse }
  for _, after in ipairs { 0, 0.02, 0.1 } do
    local connecting = task.spawn(function() ble.connect(adv) end)
    task.sleep(after)
    connecting:cancel()
    task.sleep(4)
    t.equal(ble.device(lab.pulse).connected, false, after .. " s after its start")
  end
  local dev <close> = ble.connect(adv)
  t.equal(dev:read "2a38", "\1")
end)

test("race: the first answer wins, the other read ends", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local other <close> = ble.connect(lab.pulse)
  t.equal(task.race { function() return dev:read(lab.slow) end, function() return other:read "2a19" end }, "\x55")
  t.equal(dev:read(lab.read), "hello")
end)

test("task.timeout ends a wait that has no time-out of its own", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local before = task.now()
  t.raises("timeout", function()
    task.timeout(1, function() for _ in dev:notifications(lab.notify) do task.sleep(0) end end)
  end)
  t.near(task.now() - before, 1, 0.3)
  t.eventually(function() return not dev:characteristic(lab.notify).notifying end, 3)
end)

test("calls wait in the script's own coroutines too", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local values = coroutine.wrap(function()
    for _, ref in ipairs { lab.read, lab.extra, lab.readonly } do coroutine.yield(dev:read(ref)) end
  end)
  t.equal({ values(), values(), values() }, { "hello", "extra", "fixed" })
end)

test("where Lua can't wait the call is refused, and says so", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local err = t.raises(function() return (("x"):gsub("x", function() return dev:read(lab.read) end)) end)
  t.ok(tostring(err):find "wait", tostring(err))
  err = t.raises(function()
    table.sort({ 1, 2, 3 }, function(a, b)
      dev:read(lab.read)
      return a < b
    end)
  end)
  t.ok(tostring(err):find "wait", tostring(err))
  t.equal(dev:read(lab.read), "hello", "the task goes on")
end)

test("pcall, metamethods and iterators may wait", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  t.equal({ pcall(dev.read, dev, lab.read) }, { true, "hello" })
  local lazy = setmetatable({}, { __index = function(_, key) return dev:read(lab[key]) end })
  t.equal(lazy.extra, "extra")
  local function each() return function(_, i) return i < 2 and i + 1 or nil, dev:read(lab.readonly) end, nil, 0 end
  for _, value in each() do t.equal(value, "fixed") end
end)
