-- Connecting and disconnecting.
local ble = require "ble"
local lab = require "support.lab"
local task = require "task"
local test = require "test"

local world = { world = "lab" }

--- Whether the link is really gone: a connected device does not advertise.
local function advertises(address) return #ble.discover { address = address, timeout = 3, count = 1 } == 1 end

test("by address, though nobody has scanned", world, function(t)
  local dev <close> = ble.connect(lab.ghost)
  t.equal(dev.connected, true)
  t.equal(dev.services_resolved, true)
  t.equal(dev.address, lab.ghost)
  t.ok(tostring(dev):find(lab.ghost, 1, true) and tostring(dev):find "connected", tostring(dev))
end)

test("an address may be written in lower case", world, function(t)
  local dev <close> = ble.connect(lab.ghost:lower())
  t.equal(dev.address, lab.ghost)
end)

test("by advertisement", world, function(t)
  local adv = ble.find { name = "Pulse" }
  local dev <close> = ble.connect(adv)
  t.equal(dev.name, "Pulse")
  t.equal(dev:read "2a38", "\1")
end)

test("by filter", world, function(t)
  local dev <close> = ble.connect({ services = { "heart_rate" } }, { timeout = 10 })
  t.equal(dev.address, lab.pulse)
  t.eventually(function() return not ble.adapter().discovering end, 3, "the scan ends when the link is there")
end)

test("by device", world, function(t)
  local named = ble.device(lab.pulse)
  t.equal(named.connected, false)
  local dev <close> = ble.connect(named)
  t.ok(dev == named)
  t.equal(named.connected, true)
end)

test("a `<close>` value disconnects at the end of its block", world, function(t)
  local named = ble.device(lab.ghost)
  do
    local dev <close> = ble.connect(named)
    t.equal(dev.connected, true)
  end
  t.eventually(function() return not named.connected end, 5)
  t.ok(advertises(lab.ghost))
end)

test("a `<close>` value disconnects when its block fails", world, function(t)
  local named = ble.device(lab.ghost)
  t.raises(function()
    local _ <close> = ble.connect(named)
    error "mine"
  end)
  t.eventually(function() return not named.connected end, 5)
end)

test("with: connects, gives what the function gives, disconnects", world, function(t)
  local named = ble.device(lab.pulse)
  t.equal({ ble.with(named, function(dev) return dev:read "2a38", dev.connected end) }, { "\1", true })
  t.eventually(function() return not named.connected end, 5)
  local err = t.raises(function() ble.with(named, { timeout = 10 }, function() error("mine", 0) end) end)
  t.equal(err, "mine")
  t.eventually(function() return not named.connected end, 5)
end)

test("X3 disconnect returns when the link is down", world, function(t)
  local dev <close> = ble.connect(lab.ghost)
  local before = task.now()
  dev:disconnect()
  t.equal(dev.connected, false)
  t.ok(task.now() - before < 4)
  dev:disconnect()
  t.equal(dev.connected, false, "once more is no error")
  t.ok(advertises(lab.ghost))
end)

test("a second connect of the same device shares the link", world, function(t)
  local dev <close> = ble.connect(lab.ghost)
  do
    local again <close> = ble.connect(lab.ghost)
    t.ok(again == dev)
  end
  task.sleep(3)
  t.equal(dev.connected, true, "the first one still has it")
end)

test("the device can be connected again at once", world, function(t)
  for _ = 1, 3 do
    local dev <close> = ble.connect(lab.pulse)
    t.equal(dev:read "2a38", "\1")
    dev:disconnect()
  end
end)

test("an address that nobody has is not found, at stage scan", world, function(t)
  local before = task.now()
  local err = t.raises("not_found", function() ble.connect(lab.nobody, { timeout = 2 }) end)
  t.near(task.now() - before, 2, 0.5)
  t.equal(err.stage, "scan")
  t.equal(err.op, "connect")
  t.equal(err.device, lab.nobody)
  t.equal(err.retryable, true)
  t.ok(err.advice)
  t.eventually(function() return not ble.adapter().discovering end, 3)
end)

test("B37 a device that hides after it was seen: one result, in time", world, function(t)
  local adv = ble.find { address = lab.ghost }
  t.order "ghost hide"
  local before = task.now()
  local err = t.raises(function() ble.connect(adv, { timeout = 3 }) end)
  t.order "ghost show"
  t.near(task.now() - before, 3, 1)
  t.ok(err.code == "timeout" or err.code == "not_found" or err.code == "connect_failed", tostring(err))
  t.equal(err.op, "connect")
  t.equal(err.device, lab.ghost)
end)

test("B10 after a connect that took too long the next one works", world, function(t)
  local adv = ble.find { address = lab.ghost }
  t.order "ghost hide"
  t.raises("timeout", function() ble.connect(adv, { timeout = 1 }) end)
  t.order "ghost show"
  local dev <close> = ble.connect(adv, { timeout = 15 })
  t.equal(dev.connected, true)
end)

test("B37 what was found can be connected though the scan has ended long ago", world, function(t)
  local adv = ble.find { address = lab.ghost }
  task.sleep(35) -- bluetoothd forgets what it has not heard for 30 s
  local dev <close> = ble.connect(adv)
  t.equal(dev.connected, true)
end)

test("a device that hangs up: `disconnected`, and the handler is told", world, function(t)
  local dev <close> = ble.connect(lab.pulse)
  local reasons = {}
  dev:on("disconnect", function(reason) reasons[#reasons + 1] = reason end)
  t.order "pulse disconnect"
  t.eventually(function() return #reasons == 1 end, 3)
  t.equal(reasons[1].code, "disconnected")
  t.equal(dev.connected, false)
  t.raises("disconnected", function() dev:read "2a38" end)
  task.sleep(0.5)
  t.equal(#reasons, 1)
end)

test("a device out of range: `disconnected`", world, function(t)
  local dev <close> = ble.connect(lab.pulse)
  t.order "pulse lose"
  t.eventually(function() return not dev.connected end, 8)
  local err = t.raises("disconnected", function() dev:read "2a38" end)
  t.equal(err.device, lab.pulse)
end)

test("the disconnect handler is called at each loss, and no more once cancelled", world, function(t)
  local named, count = ble.device(lab.pulse), 0
  local watch = named:on("disconnect", function() count = count + 1 end)
  for i = 1, 2 do
    local dev <close> = ble.connect(named)
    t.order "pulse disconnect"
    t.eventually(function() return not dev.connected and count == i end, 5)
  end
  watch:cancel()
  local dev <close> = ble.connect(named)
  dev:disconnect()
  task.sleep(0.2)
  t.equal(count, 2)
end)

test("shy hangs up by itself", world, function(t)
  local dev <close> = ble.connect(lab.shy)
  local before = task.now()
  t.eventually(function() return not dev.connected end, 5)
  t.ok(task.now() - before < 2.5)
end)

test("X9 the adapter can be chosen", world, function(t)
  local dev <close> = ble.connect(lab.pulse, { adapter = "hci1" })
  t.equal(dev.adapter, "hci1")
  t.equal(dev:read "2a38", "\1")
  t.equal(ble.device(lab.pulse).connected, false, "on hci0 it is not connected")
end)

test("attempts and timeout are checked", world, function(t)
  t.raises(function() ble.connect(lab.pulse, { attempts = 0 }) end)
  t.raises(function() ble.connect(lab.pulse, { timeout = -1 }) end)
  t.raises(function() ble.connect "no address" end)
  t.raises(function() ble.connect() end)
  t.raises(function() ble.connect(12) end)
end)

test("B09 a device that says nothing once the link is up: time-out, and no link stays", world, function(t)
  local adv = ble.find { address = lab.pulse }
  t.order "pulse mute"
  local err = t.raises("timeout", function() ble.connect(adv, { timeout = 4 }) end)
  t.order "pulse unmute"
  t.equal(err.stage, "services")
  local dev <close> = ble.connect(adv, { timeout = 15 })
  t.equal(dev:read "2a38", "\1")
end)
