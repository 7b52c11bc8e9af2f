-- Writing characteristics.
local ble = require "ble"
local lab = require "support.lab"
local task = require "task"
local test = require "test"

local world = { world = "lab" }

test("a write can be read back", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  dev:write(lab.read, "other")
  t.equal(dev:read(lab.read), "other")
  dev:write(lab.read, "\0\xff\0")
  t.equal(dev:read(lab.read), "\0\xff\0")
  dev:write(lab.read, "hello")
end)

test("`as` encodes what is written", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  dev:write(lab.command, 0x1234, { as = "u16" })
  t.equal(dev:read(lab.command), "\x34\x12")
  dev:write(lab.command, -2, { as = "i16be" })
  t.equal(dev:read(lab.command), "\xff\xfe")
  dev:write(lab.command, "00ff10", { as = "hex" })
  t.equal(dev:read(lab.command), "\0\xff\x10")
  t.raises(function() dev:write(lab.command, 256, { as = "u8" }) end)
  t.equal(dev:read(lab.command), "\0\xff\x10", "what can't be encoded is not sent")
  dev:write(lab.command, "")
  t.equal(dev:read(lab.command), "")
end)

test("without response where the characteristic allows only that, or it is asked for", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  dev:write(lab.command, "one", { response = false })
  t.equal(dev:read(lab.command), "one")
  dev:write(lab.command, "two")
  t.equal(dev:read(lab.command), "two")
  dev:write(lab.command, "")
end)

test("a write request is answered with the device's error", world, function(t)
  local dev <close> = ble.connect(lab.pulse)
  dev:write("2a39", "\1")
  local err = t.raises("att", function() dev:write("2a39", "\2") end)
  t.equal(err.att, 0x80)
  t.equal(err.op, "write")
  t.equal(err.ref, "2a39")
end)

test("each ATT error arrives with its number", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  for _, code in ipairs { 0x03, 0x06, 0x0d, 0x80, 0x9f, 0xff } do
    local err = t.raises(function() dev:write(lab.fault, string.char(code, 0)) end)
    t.equal(err.att, code, string.format("0x%02x", code))
  end
  t.equal(dev:read(lab.fault), "ok")
end)

test("a value too long for the device is refused with 0x0d", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  dev:write(lab.read, ("x"):rep(64))
  local err = t.raises("att", function() dev:write(lab.read, ("x"):rep(65)) end)
  t.equal(err.att, 0x0d)
  t.equal(dev:read(lab.read), ("x"):rep(64))
  dev:write(lab.read, "hello")
end)

test("a characteristic that can't be written", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  t.raises("unsupported", function() dev:write(lab.readonly, "x") end)
  local err = t.raises("att", function() dev:write(lab.readonly, "x", { response = true }) end)
  t.equal(err.att, 0x03)
  t.equal(dev:read(lab.readonly), "fixed")
end)

test("a write-only characteristic", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  dev:write(lab.writeonly, "x")
  t.equal(t.raises("att", function() dev:read(lab.writeonly) end).att, 0x02)
end)

test("a long value, longer than the link's packets", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local old = dev:read(lab.long)
  local new = ("0123456789abcdef"):rep(32)
  dev:write(lab.long, new)
  t.equal(dev:read(lab.long), new)
  dev:write(lab.long, old)
  t.equal(dev:read(lab.long), old)
end)

test("B28 a write without response has to fit into one packet", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local most = dev.mtu - 3
  local longest = ("x"):rep(math.min(most, 512))
  dev:write(lab.command, longest, { response = false })
  t.equal(dev:read(lab.command), longest)
  local err = t.raises("invalid", function() dev:write(lab.command, ("y"):rep(most + 1), { response = false }) end)
  t.ok(err.message:find(tostring(most + 1), 1, true) and err.message:find(tostring(most), 1, true), err.message)
  t.equal(dev:read(lab.command), longest)
  dev:write(lab.command, "", { response = false })
  t.equal(dev:read(lab.command), "")
end)

test("a reliable write", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  dev:write(lab.reliable, "sure", { reliable = true })
  t.equal(dev:read(lab.reliable), "sure")
  local long = ("sure"):rep(100)
  dev:write(lab.reliable, long, { reliable = true })
  t.equal(dev:read(lab.reliable), long)
  dev:write(lab.reliable, "")
end)

test("a write from an offset", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  -- This device puts prepared writes together from 0 on, so it refuses a gap.
  local err = t.raises("att", function() dev:write(lab.read, "x", { offset = 3 }) end)
  t.equal(err.att, 0x07)
  t.equal(dev:read(lab.read), "hello")
end)

test("a value has to be a string", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  for _, value in ipairs { {}, true, print } do t.raises(function() dev:write(lab.read, value) end) end
  t.raises(function() dev:write(lab.read) end)
  t.equal(dev:read(lab.read), "hello")
end)

test("B35 a device that hangs up in the middle of a write: `disconnected`", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  -- The write waits in the air behind a read that the device is slow to answer.
  local read = task.spawn(function() t.raises("disconnected", function() dev:read(lab.silent) end) end)
  local write = task.spawn(function()
    return t.raises("disconnected", function() dev:write(lab.read, "lost") end)
  end)
  task.sleep(0.3)
  t.order "lab disconnect"
  t.equal(write:wait().op, "write")
  read:wait()
  local again <close> = ble.connect(lab.lab)
  t.equal(again:read(lab.read), "hello")
end)

test("B35 error 0x0e is the device's own when the link stays", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  t.equal(t.raises("att", function() dev:write(lab.fault, "\x0e\0") end).att, 0x0e)
  t.equal(dev.connected, true)
end)
