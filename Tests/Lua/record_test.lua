-- Codecs made of others: records, bits, scaled numbers, lists, alternatives, commands. Prints TAP:
--   blescript Tests/Lua/record_test.lua

local codec = require "codec"
local tap = require "tap"

local test, equal, raises, bytes_of = tap.test, tap.equal, tap.raises, tap.bytes_of

local function hex_of(as, value)
  return codec.decode("hex", codec.encode(as, value))
end

local function decode(as, hex)
  return codec.decode(as, bytes_of(hex))
end

-- Scaled numbers

test("scaled: exact where the step has an exact inverse", function()
  local celsius = codec.scaled("i16", 0.01, "°C", -32768)
  equal(decode(celsius, "2e09"), 23.5)
  equal(decode(celsius, "0080"), nil)
  equal(celsius.unit, "°C")
  for raw = -32767, 32767 do
    local bytes = codec.encode("i16", raw)
    equal(codec.encode(celsius, codec.decode(celsius, bytes)), bytes)
  end
end)

test("scaled: whole steps stay whole numbers", function()
  equal(decode(codec.scaled("u16", 10), "0a00"), 100)
  equal(hex_of(codec.scaled("u16", 10), 104), "0a00")
  equal(decode(codec.scaled("u16", 1.25), "0600"), 7.5)
end)

test("scaled: what can't be", function()
  local percent = codec.scaled("u8", 0.5, "%", 255)
  for _, value in ipairs { -1, 127.5, 200, 0 / 0, math.huge, "7", {} } do
    raises("encode", "takes 0.0 to 127.5 %% in steps of 0.5", codec.encode, percent, value)
  end
  raises("encode", "not nil", codec.encode, codec.scaled("u8", 1), nil)
  raises("invalid", "integer such as u16", codec.scaled, "f32", 1)
  raises("invalid", "above 0", codec.scaled, "u8", 0)
end)

-- Bits

local bits = codec.bits("u8", { "a", 1, { "level", 2, { [0] = "low", "high" } }, { "n", 3 } })

test("bits: names, skipped ones, numbers", function()
  equal(decode(bits, "01"), { a = true, level = "low", n = 0 })
  equal(decode(bits, "64"), { a = false, level = "high", n = 6 })
  equal(decode(bits, "08"), { a = false, level = 2, n = 0 })
  equal(decode(bits, "82"), { a = false, level = "low", n = 0, reserved = 0x82 })
end)

test("bits: all there and back", function()
  for raw = 0, 255 do
    equal(codec.encode(bits, codec.decode(bits, string.char(raw))), string.char(raw))
  end
end)

test("bits: what can't be", function()
  raises("encode", "a takes true or false", codec.encode, bits, { a = 1 })
  raises("encode", "level takes 0 to 3 or a name", codec.encode, bits, { level = "middle" })
  raises("encode", "n takes 0 to 7, not 8", codec.encode, bits, { n = 8 })
  raises("encode", 'no flag "b"', codec.encode, bits, { b = true })
  raises("encode", "reserved takes bits that have no name", codec.encode, bits, { reserved = 1 })
  raises("encode", "table of flags", codec.encode, bits, 3)
end)

-- Lists

test("list: to the end of the bytes", function()
  local list = codec.list "u16"
  equal(decode(list, ""), {})
  equal(decode(list, "01000200"), { 1, 2 })
  equal(hex_of(list, { 1, 2 }), "01000200")
  equal(decode(codec.list "<I1I1", "0102"), { { 1, 2 } })
  raises("decode", "multiple of 2 bytes; 3 came", decode, list, "010002")
  raises("encode", "item 2: u16", codec.encode, list, { 1, -1 })
  raises("invalid", "fixed length", codec.list, "utf8")
end)

-- Alternatives

test("either: the first that takes it, and keeps it", function()
  local either = codec.either("u8", "u16")
  equal(decode(either, "01"), 1)
  equal(decode(either, "0100"), 1)
  equal(hex_of(either, 255), "ff")
  equal(hex_of(either, 256), "0001")
  raises("decode", "u8 takes 1 byte; 3 came", decode, either, "010203")
  local coarse = codec.either(codec.scaled("u8", 1), codec.scaled("u16", 0.1))
  equal(hex_of(coarse, 3), "03")
  equal(hex_of(coarse, 3.7), "2500")
  equal(hex_of(coarse, 3.71), "04") -- none keeps it: the first
end)

-- Records

test("record: fields that flags tell of", function()
  local record = codec.record("thing", {
    { "kind", "u8" }, { flags = "u8" }, { "on", bit = 7 }, { "mode", bit = 4, width = 2, names = { [0] = "x", "y" } },
    { "a", "u8", when = 0 }, { "b", "u8", when = 0 }, { "c", "u16", when = { 1, 2 } }, { "d", "u8", unless = 3 },
  })
  local all = { kind = 5, on = true, mode = "y", a = 1, b = 2, c = 3, d = 4 }
  equal(decode(record, "0508"), { kind = 5, on = false, mode = "x" })
  equal(decode(record, "05970102030004"), all)
  equal(hex_of(record, all), "05970102030004")
  equal(hex_of(record, { kind = 5 }), "0508")
  equal(decode(record, "0538").mode, 3) -- no name
  raises("encode", "b: u8 takes a whole number from 0 to 255, not nil", codec.encode, record, { kind = 5, a = 1 })
  raises("encode", "mode takes one of its names", codec.encode, record, { kind = 5, mode = "z" })
  raises("decode", "thing: c takes bytes 3 to 4; 2 came", decode, record, "0506")
end)

test("record: fixed where all its fields are", function()
  equal(codec.record("pair", { { "a", "u8" }, { "b", "u16" } }).size, 3)
  equal(codec.record("maybe", { { "a", "u8" }, { "b", "u16", optional = true } }).size, nil)
  equal(codec.record("rest", { { "a", "u8" }, { "b", "bytes" } }).size, nil)
end)

test("record: optional ones at the end", function()
  local record = codec.record("thing", {
    { "a", "u8" }, { "b", "u8", optional = true }, { "c", "u8", optional = true },
  })
  equal(decode(record, "01"), { a = 1 })
  equal(decode(record, "0102"), { a = 1, b = 2 })
  equal(hex_of(record, { a = 1, b = 2, c = 3 }), "010203")
  raises("encode", "c = 3 has no place", codec.encode, record, { a = 1, c = 3 })
end)

test("record: what has no name is part of it", function()
  local inner = codec.record("inner", { { "x", "u8" }, { "y", "u8" } })
  local record = codec.record("outer", { { flags = "u8" }, { inner, when = 0 }, { "z", "u8" } })
  equal(decode(record, "01010203"), { x = 1, y = 2, z = 3 })
  equal(hex_of(record, { z = 3 }), "0003")
  equal(hex_of(record, { x = 1, y = 2, z = 3 }), "01010203")
  raises("encode", "outer: inner: y: u8", codec.encode, record, { x = 1, z = 3 })
  raises("invalid", "a record or bits", codec.record, "bad", { { codec.u8 } })
end)

test("record: an error of a field says which", function()
  local record = codec.record("thing", { { "flag", "bool" }, { "name", "utf8" } })
  raises("decode", "thing: flag: bool takes 00 or 01; 02 came", decode, record, "02")
  raises("encode", "thing: name: utf8 takes a string, not 7", codec.encode, record, { flag = true, name = 7 })
  raises("invalid", "only the last may do without", codec.record, "bad", { { "a", "utf8" }, { "b", "u8" } })
  raises("invalid", '"auto" inside', codec.record, "bad", { { "a", "auto" } })
end)

-- Commands

test("command: an operation and what it takes", function()
  local command = codec.command("point", {
    [1] = { "go", { "speed", "u16" } }, [2] = { "stop" },
    [16] = { "answer", { "request", "opcode" }, { "good", "bool" } },
  })
  equal(decode(command, "010500"), { opcode = "go", speed = 5 })
  equal(hex_of(command, { opcode = "go", speed = 5 }), "010500")
  equal(hex_of(command, { opcode = 2 }), "02")
  equal(decode(command, "100201"), { opcode = "answer", request = "stop", good = true })
  equal(hex_of(command, { opcode = "answer", request = "stop", good = true }), "100201")
  equal(decode(command, "4201"), { opcode = 0x42, parameter = "\1" })
  equal(hex_of(command, { opcode = 0x42, parameter = "\1" }), "4201")
  raises("decode", "point: stop takes no bytes; 1 came", decode, command, "0200")
  raises("encode", "opcode takes", codec.encode, command, { opcode = 256 })
  raises("encode", "takes a table", codec.encode, command, "go")
end)

tap.done()
