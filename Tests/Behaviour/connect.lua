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
