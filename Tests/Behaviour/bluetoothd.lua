-- What becomes of a script when bluetoothd goes, and when it is back.
local ble = require "ble"
local lab = require "support.lab"
local task = require "task"
local test = require "test"

local world = { world = "lab" }

--- A bluetoothd that stops switches the adapters off first.
local causes = { unavailable = true, disconnected = true, adapter_off = true }

local function ends(t, fn)
  return task.spawn(function()
    local err = t.raises(fn)
    t.ok(causes[err.code], tostring(err))
    return err
  end)
end

--- Has all kinds of things wait, gives the order, and sees that each ends once.
local function everything_ends(t, order)
  local dev <close> = ble.connect(lab.lab)
  local count = 0
  dev:on("disconnect", function() count = count + 1 end)
  local waiting = {
    ends(t, function() dev:read(lab.silent) end),
    ends(t, function() dev:read(lab.read) end),
    ends(t, function() for _ in dev:notifications(lab.notify) do task.sleep(0) end end),
    ends(t, function() for _ in ble.scan { duplicates = true } do task.sleep(0) end end),
  }
  task.sleep(1)
  local before = task.now()
  t.order(order)
  for _, one in ipairs(waiting) do one:wait() end
  t.ok(task.now() - before < 5, "they end with bluetoothd, not with their time-outs")
  t.equal(dev.connected, false)
  task.sleep(0.2)
  t.equal(count, 1)
end

--- All is as before; though the kernel may go on with the discovery of a bluetoothd that crashed, for 10.24 s at most,
-- and refuse another one so long.
local function works(t)
  ble.ready { timeout = 10 }
  local adv = ble.find { name = "Pulse", timeout = 20 }
  t.equal(adv.address, lab.pulse)
  local dev <close> = ble.connect(lab.lab)
  t.equal(dev:read(lab.read), "hello")
  local values = {}
  dev:subscribe(lab.notify, function(value) values[#values + 1] = value end)
  t.order "lab notify notify 01"
  t.eventually(function() return #values == 1 end, 3)
end

test("B15 bluetoothd restarts: everything ends, then works again", world, function(t)
  everything_ends(t, "bluetoothd restart")
  works(t)
end)

test("B15 bluetoothd crashes: everything ends; it is started, and all works again", world, function(t)
  local _ <close> = lab.finally(function() pcall(t.order, "bluetoothd start") end)
  everything_ends(t, "bluetoothd crash")
  t.equal(ble.state(), "unavailable")
  local err = t.raises("unavailable", function() ble.find { timeout = 1 } end)
  t.ok(err.advice, err.message)
  t.raises("unavailable", function() ble.connect(lab.lab, { timeout = 1 }) end)
  t.order "bluetoothd start"
  works(t)
end)

test("the state follows bluetoothd", world, function(t)
  local _ <close> = lab.finally(function() pcall(t.order, "bluetoothd start") end)
  local states = {}
  ble.state()
  ble.on("state", function(state) states[#states + 1] = state end)
  t.order "bluetoothd stop"
  t.eventually(function() return states[#states] == "unavailable" end, 3)
  t.order "bluetoothd start"
  t.eventually(function() return states[#states] == "on" end, 10)
end)
