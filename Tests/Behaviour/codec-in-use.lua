-- `as`, where values come from a device and go to it.
local ble = require "ble"
local codec = require "codec"
local lab = require "support.lab"
local test = require "test"

local world = { world = "lab" }

test("what was written as something is read as the same", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  for as, value in pairs {
    u8 = 255, i8 = -128, u16 = 0x1234, i16be = -2, u24 = 0xabcdef, i24 = -5, u32 = 0xdeadbeef, i32be = -1,
    u48 = 1 << 47, i64 = math.mininteger, f32 = 0.5, f64 = 0.1, bool = true, utf8 = "Grüße", hex = "00ff",
    bytes = "\0\1", uuid = "180f",
  } do
    dev:write(lab.command, value, { as = as })
    t.equal(dev:read(lab.command, { as = as }), value, as)
  end
  dev:write(lab.command, "")
end)

test("the bytes on the air are little-endian unless it says otherwise", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  dev:write(lab.command, 0x0102, { as = "u16" })
  t.equal(dev:read(lab.command), "\2\1")
  dev:write(lab.command, 0x0102, { as = "u16be" })
  t.equal(dev:read(lab.command), "\1\2")
  dev:write(lab.command, "")
end)

test("a value of another length is a decode error, never a wrong number", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  for _, bytes in ipairs { "", "\1", "\1\2\3" } do
    dev:write(lab.command, bytes)
    t.raises("decode", function() dev:read(lab.command, { as = "u16" }) end, #bytes .. " bytes")
  end
  dev:write(lab.command, "")
end)

test("a codec of one's own, both ways", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local tenths = {
    decode = function(bytes) return string.unpack("<i2", bytes) / 10 end,
    encode = function(value) return string.pack("<i2", math.floor(value * 10 + 0.5)) end,
  }
  dev:write(lab.command, -7.2, { as = tenths })
  t.equal(dev:read(lab.command), "\xb8\xff")
  t.equal(dev:read(lab.command, { as = tenths }), -7.2)
  dev:write(lab.command, "")
end)

test("registered for a characteristic, `auto` finds it", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  codec.register(lab.read, { decode = string.upper, encode = string.lower })
  t.equal(dev:read(lab.read, { as = "auto" }), "HELLO")
  dev:write(lab.read, "OTHER", { as = "auto" })
  t.equal(dev:read(lab.read), "other")
  dev:write(lab.read, "hello")
end)

test("D07 `auto` knows the Bluetooth SIG's characteristics", world, function(t)
  local dev <close> = ble.connect(lab.pulse)
  t.equal(dev:read("battery_level", { as = "auto" }), 85)
  local beats = {}
  dev:subscribe("2a37", function(beat) beats[#beats + 1] = beat end, { as = "auto" })
  t.order "pulse notify 2a37 104800040003"
  t.order "pulse notify 2a37 0048"
  t.eventually(function() return #beats == 2 end, 3)
  t.equal(beats[1].bpm, 72)
  t.near(beats[1].rr[1], 1.0, 0.001)
  t.near(beats[1].rr[2], 0.75, 0.001)
  t.equal(beats[2].bpm, 72)
end)

test("what can't be encoded is not sent", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  for _, case in ipairs { { 256, "u8" }, { -1, "u16" }, { 1.5, "i32" }, { "x", "u8" }, { "0g", "hex" } } do
    t.raises(function() dev:write(lab.read, case[1], { as = case[2] }) end, tostring(case[1]))
  end
  t.equal(dev:read(lab.read), "hello")
end)
