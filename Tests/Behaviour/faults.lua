-- What only a simulated bluetoothd can be made to do.
local ble = require "ble"
local lab = require "support.lab"
local task = require "task"
local test = require "test"

local world = { world = "worlds/faulty.lua", only = "simulator" }

test("a connect that is refused three times and then accepted works", world, function(t)
  t.order "fault connect-refused 3"
  local before = task.now()
  local dev <close> = ble.connect(lab.pulse)
  t.equal(dev:read "2a38", "\1")
  t.ok(task.now() - before >= 1.75, "pauses of 0.25, 0.5 and 1 s lie between")
end)

test("B32 a connect that is always refused ends after its attempts", world, function(t)
  t.order "fault connect-refused"
  local before = task.now()
  local err = t.raises("connect_failed", function() ble.connect(lab.pulse, { attempts = 3 }) end)
  t.ok(task.now() - before < 5)
  t.equal(err.stage, "connect")
  t.equal(err.reason, "le-connection-abort-by-local")
  t.equal(err.dbus, "org.bluez.Error.Failed")
  t.equal(err.retryable, true)
  t.ok(err.message:find "3 attempts", err.message)
end)

test("attempts and pauses stay inside the time-out", world, function(t)
  t.order "fault connect-refused"
  local before = task.now()
  local err = t.raises("timeout", function() ble.connect(lab.pulse, { attempts = 1000, timeout = 5 }) end)
  t.near(task.now() - before, 5, 0.1)
  t.equal(err.reason, "le-connection-abort-by-local", "the cause behind the time-out")
end)

test("one attempt is one attempt", world, function(t)
  t.order "fault connect-refused 1"
  t.raises("connect_failed", function() ble.connect(lab.pulse, { attempts = 1 }) end)
  local dev <close> = ble.connect(lab.pulse, { attempts = 1 })
  t.equal(dev.connected, true)
end)

test("B10 a connect that is never answered times out once; the next one works", world, function(t)
  t.order "fault connect-silent 1"
  local before = task.now()
  local err = t.raises("timeout", function() ble.connect(lab.pulse, { timeout = 2 }) end)
  t.near(task.now() - before, 2, 0.1)
  t.equal(err.stage, "connect")
  local dev <close> = ble.connect(lab.pulse, { timeout = 60 })
  t.equal(dev:read "2a38", "\1")
end)

test("a link that drops in the service discovery is made again", world, function(t)
  t.order "fault connect-drops 2"
  local dev <close> = ble.connect(lab.pulse)
  t.equal(dev:read "2a38", "\1")
end)

test("a link that always drops in the service discovery: `disconnected`, no endless wait", world, function(t)
  t.order "fault connect-drops 1000"
  local err = t.raises(function() ble.connect(lab.pulse, { timeout = 30 }) end)
  t.ok(err.code == "disconnected" or err.code == "connect_failed", tostring(err))
  t.equal(err.op, "connect")
  t.equal(err.retryable, true)
end)

test("B01 another program's operation is waited for", world, function(t)
  local dev <close> = ble.connect(lab.pulse)
  t.order "fault read-busy 4"
  t.equal(dev:read "2a38", "\1")
  t.order "fault none"
  t.order "fault read-busy"
  local err = t.raises("timeout", function() dev:read("2a38", { timeout = 3 }) end)
  t.equal(err.stage, "exchange")
end)

test("a scan start that comes too close to another program's is tried again", world, function(t)
  t.order "fault scan-busy 2"
  t.equal(ble.find({ name = "Pulse" }).address, lab.pulse)
  task.sleep(1)
  t.order "fault none"
  t.order "fault scan-busy"
  t.equal(t.raises("busy", function() ble.find { name = "Pulse", timeout = 20 } end).retryable, true)
end)

test("B03 a scan that BlueZ refuses because the adapter is off", world, function(t)
  t.order "fault scan-denied 1"
  local err = t.raises("adapter_off", function() ble.find { name = "Pulse" } end)
  t.ok(err.advice:find "power on", err.advice)
  t.equal(ble.find({ name = "Pulse" }).address, lab.pulse)
end)

test("X5 a late answer is dropped, and the next operation waits for it", world, function(t)
  local dev <close> = ble.connect(lab.pulse)
  t.order "fault read-slow 1"
  t.raises("timeout", function() dev:read("2a38", { timeout = 1 }) end)
  local before = task.now()
  t.equal(dev:read "2a38", "\1")
  t.near(task.now() - before, 2, 0.1)
end)

test("a call that bluetoothd never answers keeps the device for 30 s, not for ever", world, function(t)
  local dev <close> = ble.connect(lab.pulse)
  t.order "fault read-silent 1"
  t.raises("timeout", function() dev:read("2a38", { timeout = 1 }) end)
  t.equal(dev:read("2a38", { timeout = 60 }), "\1")
end)

test("B33 the device hangs up in a read that is never answered", world, function(t)
  local dev <close> = ble.connect(lab.pulse)
  t.order "fault read-hangs-up"
  local before = task.now()
  t.equal(t.raises("disconnected", function() dev:read "2a38" end).stage, "exchange")
  t.ok(task.now() - before < 1)
end)

test("B35 a device that hangs up as its answer to a write: `disconnected`, not ATT 0x0e", world, function(t)
  local dev <close> = ble.connect(lab.pulse)
  t.order "fault write-hangs-up"
  t.equal(t.raises("disconnected", function() dev:write("2a39", "\1") end).op, "write")
end)

test("B35 ATT 0x0e from a device that stays is an ATT error", world, function(t)
  local dev <close> = ble.connect(lab.pulse)
  t.order "fault write-fails"
  t.equal(t.raises("att", function() dev:write("2a39", "\1") end).att, 0x0e)
  t.equal(dev.connected, true)
end)

test("X4 three ways for a subscription to fail are told apart", world, function(t)
  local dev <close> = ble.connect(lab.pulse)
  t.order "fault notify-unpaired 1"
  local err = t.raises("not_authorized", function() dev:subscribe("2a37", print) end)
  t.ok(err.advice:find "pair", err.advice)
  t.raises("unsupported", function() dev:subscribe("2a38", print) end)
  t.order "fault none"
  t.order "fault notify-silent 1"
  t.equal(t.raises("timeout", function() dev:subscribe("2a37", print, { timeout = 1 }) end).op, "subscribe")
end)

test("the device hangs up in the middle of a subscription", world, function(t)
  local dev <close> = ble.connect(lab.pulse)
  t.order "fault notify-hangs-up 1"
  t.raises("disconnected", function() dev:subscribe("2a37", print) end)
  t.order "fault none"
  local again <close> = ble.connect(lab.pulse)
  local values = {}
  again:subscribe("2a37", function(value) values[#values + 1] = value end)
  t.order "pulse notify 2a37 0048"
  t.eventually(function() return #values == 1 end, 1)
end)

test("power goes off in the middle of a read that is never answered", world, function(t)
  local dev <close> = ble.connect(lab.pulse)
  t.order "fault power-off-in-read"
  local err = t.raises(function() dev:read "2a38" end)
  t.ok(err.code == "adapter_off" or err.code == "disconnected", tostring(err))
  -- The news of the link may come before that of the adapter.
  t.eventually(function() return ble.state() == "off" end, 2)
end)

test("X7 a radio that rfkill blocks", world, function(t)
  local adapter = ble.adapter()
  adapter:power(false)
  t.order "fault power-blocked 1"
  local err = t.raises("adapter_off", function() adapter:power(true) end)
  t.ok(err.message:find "rfkill" and err.advice:find "rfkill", tostring(err))
  adapter:power(true)
  t.equal(ble.state(), "on")
end)

local function without(name) return { world = "worlds/" .. name .. ".lua", only = "simulator" } end

test("B38 no bluetoothd: unavailable, and how to start it", without "no-bluetoothd", function(t)
  t.equal(ble.state(), "unavailable")
  local err = t.raises("unavailable", function() ble.find {} end)
  t.ok(err.advice:find "systemctl start bluetooth", err.advice)
  t.raises("unavailable", function() ble.connect(lab.pulse) end)
  t.raises("timeout", function() ble.ready { timeout = 1 } end)
end)

test("B38 no adapter: unsupported", without "no-adapter", function(t)
  t.equal(ble.state(), "unsupported")
  t.equal(ble.adapters(), {})
  local err = t.raises("no_adapter", function() ble.find {} end)
  t.ok(err.advice:find "rfkill", err.advice)
  t.order "hci0 plug"
  ble.ready { timeout = 5 }
  t.equal(ble.state(), "on")
end)

test("B38 the bus denies it: unauthorized", without "denied", function(t)
  t.equal(ble.state(), "unauthorized")
  local err = t.raises("access_denied", function() ble.find {} end)
  t.ok(err.advice:find "bluetooth.conf", err.advice)
  t.equal(err.retryable, false)
end)
