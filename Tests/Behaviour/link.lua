-- Links that do not come about, and links that end by themselves.
local ble = require "ble"
local lab = require "support.lab"
local task = require "task"
local test = require "test"

local world = { world = "lab" }

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

-- The guest's kernel dies of a link that is taken down while its services are being discovered.
local fragile = { world = "lab", only = "simulator" }

test("B09 a device that says nothing once the link is up: time-out, and no link stays", fragile, function(t)
  local adv = ble.find { address = lab.pulse }
  t.order "pulse mute"
  local err = t.raises("timeout", function() ble.connect(adv, { timeout = 4 }) end)
  t.order "pulse unmute"
  t.equal(err.stage, "services")
  local dev <close> = ble.connect(adv, { timeout = 15 })
  t.equal(dev:read "2a38", "\1")
end)
