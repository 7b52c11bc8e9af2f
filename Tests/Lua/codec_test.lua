-- Values to bytes and back. Prints TAP:
--   blescript Tests/Lua/codec_test.lua

local codec = require "codec"
local errors = require "ble.error"

local tap = require "tap"

local test, equal, raises = tap.test, tap.equal, tap.raises
local bytes_of, random_bytes = tap.bytes_of, tap.random_bytes

--- What comes back from the bytes it is encoded to.
local function there_and_back(as, value)
  return codec.decode(as, codec.encode(as, value))
end

-- Integers

local integers = {
  u8 = { 1, 0, 255 }, i8 = { 1, -128, 127 },
  u16 = { 2, 0, 65535 }, i16 = { 2, -32768, 32767 },
  u24 = { 3, 0, 16777215 }, i24 = { 3, -8388608, 8388607 },
  u32 = { 4, 0, 4294967295 }, i32 = { 4, -2147483648, 2147483647 },
  u48 = { 6, 0, 281474976710655 },
  u64 = { 8, 0, math.maxinteger }, i64 = { 8, math.mininteger, math.maxinteger },
}

for plain, row in pairs(integers) do
  for _, name in ipairs { plain, plain .. "be" } do
    local size, least, most = table.unpack(row)

    test(name .. ": bounds", function()
      for _, value in ipairs { least, least + 1, 0, 1, most - 1, most } do
        equal(#codec.encode(name, value), size)
        equal(there_and_back(name, value), value)
      end
      if least > math.mininteger then raises("encode", "not %" .. least - 1, codec.encode, name, least - 1) end
      if most < math.maxinteger then raises("encode", "not " .. most + 1, codec.encode, name, most + 1) end
      raises("encode", "whole number", codec.encode, name, 2.0 ^ 64)
      raises("encode", "whole number", codec.encode, name, -2.0 ^ 64)
    end)

    test(name .. ": only whole numbers", function()
      equal(there_and_back(name, 7.0), 7)
      for _, value in ipairs { 1.5, 0 / 0, 1 / 0, "1", true, {} } do
        raises("encode", "whole number", codec.encode, name, value)
      end
      raises("encode", "not nil", codec.encode, name, nil)
    end)

    test(name .. ": length", function()
      for length = 0, size + 2 do
        if length ~= size then
          local complaint = ("%s takes %d bytes?; %d came"):format(name, size, length)
          raises("decode", complaint, codec.decode, name, ("\1"):rep(length))
        end
      end
    end)

    test(name .. ": any bytes come back", function()
      for _ = 1, 500 do
        local bytes = random_bytes(size)
        local good, value = pcall(codec.decode, name, bytes)
        if good then
          equal(codec.encode(name, value), bytes)
        else
          equal(plain, "u64") -- alone has values that Lua has not
          equal(value.code, "decode")
        end
      end
    end)
  end
end

test("integers: order of the bytes", function()
  equal(codec.encode("u16", 0x1234), "\x34\x12")
  equal(codec.encode("u16be", 0x1234), "\x12\x34")
  equal(codec.encode("i24", -2), "\xfe\xff\xff")
  equal(codec.encode("u24be", 0x010203), "\1\2\3")
  equal(codec.decode("u48", "\1\2\3\4\5\6"), 0x060504030201)
  equal(codec.decode("i24be", "\xff\xff\xfe"), -2)
end)

test("u64: what Lua's integers don't hold is an error", function()
  equal(codec.decode("u64", ("\xff"):rep(7) .. "\x7f"), math.maxinteger)
  raises("decode", "0x8000000000000000", codec.decode, "u64", ("\0"):rep(7) .. "\x80")
  raises("decode", "0xffffffffffffffff", codec.decode, "u64be", ("\xff"):rep(8))
end)

-- IEEE 754

test("f32 and f64", function()
  equal(codec.encode("f32", 1), "\0\0\x80\x3f")
  equal(codec.encode("f32be", 1), "\x3f\x80\0\0")
  equal(codec.encode("f64be", -2), "\xc0\0\0\0\0\0\0\0")
  for _, name in ipairs { "f32", "f32be", "f64", "f64be" } do
    for _, value in ipairs { 0.0, 1.5, -0.15625, 1 / 0, -1 / 0 } do equal(there_and_back(name, value), value) end
    local nan = there_and_back(name, 0 / 0)
    equal(nan ~= nan, true)
    raises("encode", "a number", codec.encode, name, "1")
    raises("decode", "5 came", codec.decode, name, "12345")
  end
  for _ = 1, 500 do
    local value = math.random() * 10.0 ^ math.random(-300, 300)
    equal(there_and_back("f64", value), value)
  end
end)

test("f32: bounds", function()
  local largest = 0x1.fffffep127
  equal(there_and_back("f32", largest), largest)
  equal(there_and_back("f32", -largest), -largest)
  raises("encode", "at most", codec.encode, "f32", 3.5e38)
  raises("encode", "at most", codec.encode, "f32", -1e300)
end)

-- IEEE 11073

test("sfloat: known values", function()
  for hex, value in pairs {
    ["6ef1"] = 36.6e0, ["72f0"] = 11.4, ["6400"] = 100.0, ["ff07"] = false, ["0008"] = false, ["0108"] = false,
    ["fe07"] = math.huge, ["0208"] = -math.huge, ["fd07"] = 2045.0, ["0308"] = -2045.0, ["0080"] = 0.0,
    ["ff7f"] = -1e7, ["ff77"] = 2047e7, ["0078"] = -2048e7, ["fff7"] = 204.7,
  } do
    equal(codec.decode("sfloat", bytes_of(hex)), value or nil, hex)
  end
  equal(codec.decode("sfloatbe", "\xf1\x6e"), 36.6)
end)

test("sfloat: every value comes back", function()
  for raw = 0, 65535 do
    local value = codec.decode("sfloat", string.pack("<I2", raw))
    equal(codec.decode("sfloat", codec.encode("sfloat", value)), value, ("%04x"):format(raw))
  end
end)

test("sfloat: encoding", function()
  equal(codec.encode("sfloat", 36.6), bytes_of "6ef1")
  equal(codec.encode("sfloat", 72), bytes_of "4800")
  equal(codec.encode("sfloat", -0.5), bytes_of "fbff")
  equal(codec.encode("sfloat", nil), bytes_of "ff07")
  equal(codec.encode("sfloat", 0 / 0), bytes_of "ff07")
  equal(codec.encode("sfloat", math.huge), bytes_of "fe07")
  equal(codec.encode("sfloat", -math.huge), bytes_of "0208")
  equal(codec.encode("sfloatbe", 36.6), "\xf1\x6e")
  equal(there_and_back("sfloat", 3.14159), 3.14)     -- the nearest that 12 bits give
  equal(there_and_back("sfloat", 2046), 2050.0)      -- not the bits that mean infinity
  equal(there_and_back("sfloat", 20470000000), 2047e7)
  raises("encode", "at most", codec.encode, "sfloat", 2048e7)
  raises("encode", "at most", codec.encode, "sfloat", -2049e7)
  raises("encode", "a number", codec.encode, "sfloat", "36.6")
  raises("decode", "sfloat takes 2 bytes; 1 came", codec.decode, "sfloat", "\1")
end)

test("float: known values", function()
  for hex, value in pairs {
    ["6e0100ff"] = 36.6, ["6c0e00fe"] = 36.92, ["ffff7f00"] = false, ["00008000"] = false, ["01008000"] = false,
    ["feff7f00"] = math.huge, ["02008000"] = -math.huge, ["fdff7f00"] = 8388605.0, ["03008000"] = -8388605.0,
    ["ffffffff"] = -0.1, ["01000003"] = 1000.0, ["ffff7f01"] = 83886070.0,
  } do
    equal(codec.decode("float", bytes_of(hex)), value or nil, hex)
  end
  equal(codec.encode("float", 36.6), bytes_of "6e0100ff")
  equal(codec.encode("floatbe", 36.92), bytes_of "fe000e6c")
  equal(codec.encode("float", nil), bytes_of "ffff7f00")
  raises("decode", "float takes 4 bytes; 3 came", codec.decode, "float", "\1\2\3")
end)

test("float: values come back", function()
  for _ = 1, 2000 do
    local mantissa, exponent = math.random(-8388605, 8388605), math.random(-128, 127)
    local bytes = string.pack("<I4", (exponent & 0xff) << 24 | mantissa & 0xffffff)
    local value = codec.decode("float", bytes)
    local back = there_and_back("float", value)
    equal(math.abs(back - value) <= math.abs(value) * 1e-12, true, ("%d e %d: %g"):format(mantissa, exponent, back))
  end
end)

-- bool, bytes, utf8, hex, uuid

test("bool", function()
  equal(codec.decode("bool", "\0"), false)
  equal(codec.decode("bool", "\1"), true)
  equal(codec.encode("bool", true), "\1")
  equal(codec.encode("bool", false), "\0")
  raises("decode", "02 came", codec.decode, "bool", "\2")
  raises("decode", "0 came", codec.decode, "bool", "")
  raises("encode", "true or false", codec.encode, "bool", 1)
end)

test("bytes", function()
  for size = 0, 40 do
    local bytes = random_bytes(size)
    equal(codec.decode("bytes", bytes), bytes)
    equal(codec.encode("bytes", bytes), bytes)
  end
  raises("encode", "a string", codec.encode, "bytes", 12)
end)

test("utf8", function()
  for _, text in ipairs { "", "Pulse", "Wärme 25 °C", "心拍" } do equal(there_and_back("utf8", text), text) end
  equal(codec.decode("utf8", "Tag\0\0\0"), "Tag")
  equal(codec.decode("utf8", "a\0b"), "a\0b")
  raises("decode", "byte 3 of 4", codec.decode, "utf8", "ab\xffc")
  raises("encode", "no UTF%-8", codec.encode, "utf8", "\xc3")
  raises("encode", "a string", codec.encode, "utf8", 5)
end)

test("hex", function()
  equal(codec.decode("hex", "\x00\xab\x10"), "00ab10")
  equal(codec.decode("hex", ""), "")
  equal(codec.encode("hex", "00Ab10"), "\x00\xab\x10")
  equal(codec.encode("hex", "00:ab 10-ff"), "\x00\xab\x10\xff")
  for size = 0, 512, 37 do
    local bytes = random_bytes(size)
    equal(codec.encode("hex", codec.decode("hex", bytes)), bytes)
  end
  for _, wrong in ipairs { "0", "0g", "0x01", "abc", 12 } do
    raises("encode", "hex takes", codec.encode, "hex", wrong)
  end
end)

test("uuid", function()
  local long = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
  equal(codec.decode("uuid", "\x0f\x18"), "180f")
  equal(codec.decode("uuid", "\x0f\x18\0\0"), "180f")
  equal(codec.decode("uuid", "\1\0\2\0"), "00020001-0000-1000-8000-00805f9b34fb")
  equal(codec.decode("uuid", bytes_of "fb349b5f8000008000100000 0f180000"), "180f")
  equal(there_and_back("uuid", long), long)
  for _, form in ipairs { "180F", "0x180f", "{0000180F-0000-1000-8000-00805F9B34FB}", "0000180f" } do
    equal(codec.encode("uuid", form), "\x0f\x18", form)
  end
  equal(#codec.encode("uuid", long:upper():gsub("-", "")), 16)
  for _, wrong in ipairs { "", "18", "180g", "18-0f", long .. "0", long:gsub("-", ":"), 0x180f } do
    raises("encode", "takes a UUID", codec.encode, "uuid", wrong)
  end
  raises("decode", "3 came", codec.decode, "uuid", "abc")
end)

-- Formats, functions, codecs

test("formats of string.pack", function()
  local a, b, c = codec.decode("<I2i2", "\1\0\xff\xff")
  equal(a, 1)
  equal(b, -1)
  equal(c, nil)
  equal(codec.decode("I2", "\1\2"), 0x0201, "little-endian unless it says otherwise")
  equal(codec.decode(">I2", "\1\2"), 0x0102)
  equal(codec.encode("<I2i2", { 1, -1 }), "\1\0\xff\xff")
  equal(codec.encode(">I2", 258), "\1\2")
  equal(codec.decode("s1", "\3abc"), "abc")
  equal(codec.decode("z", "abc\0"), "abc")
end)

test("formats: wrong lengths and values", function()
  raises("decode", "takes 4 bytes; 3 came: 01 02 03", codec.decode, "<I2i2", "\1\2\3")
  raises("decode", "takes 4 bytes; 5 came", codec.decode, "<I2i2", "\1\2\3\4\5")
  raises("decode", "takes more; 2 came", codec.decode, "s1", "\3a")
  raises("decode", "takes 2 bytes; 3 came", codec.decode, "s1", "\1ab")
  raises("encode", "I2: unsigned overflow", codec.encode, "I2", 65536)
  raises("encode", "<I2i2: number expected, got nil", codec.encode, "<I2i2", { 1 })
  raises("encode", "takes 2 values, not 3", codec.encode, "<I2i2", { 1, 2, 3 })
  raises("encode", "takes 1 values, not 2", codec.encode, "I2", { 1, 2 })
end)

test("functions decode", function()
  equal(codec.decode(function(bytes) return #bytes end, "abc"), 3)
  equal(select("#", codec.decode(function() return 1, nil, nil end, "")), 3)
  raises("encode", "only be decoded", codec.encode, function() end, 1)
  raises("decode", "oops", codec.decode, function() error "oops" end, "")
  raises("decode", "short", codec.decode, function(bytes) return string.unpack("<I4", bytes) end, "abc")
  raises("busy", "later", codec.decode, function() errors.raise { code = "busy", message = "later" } end, "")
end)

test("codecs of one's own", function()
  local celsius = {
    decode = function(bytes) return codec.decode("i16", bytes) / 100 end,
    encode = function(value) return codec.encode("i16", value * 100 // 1) end,
  }
  equal(codec.decode(celsius, "\xd4\x08"), 22.6)
  equal(codec.encode(celsius, 22.6), "\xd4\x08")
  raises("decode", "i16 takes 2 bytes", codec.decode, celsius, "\1")
  raises("encode", "whole number", codec.encode, celsius, 1000)
  raises("encode", "not bytes", codec.encode, { encode = function() return 5 end }, 5)
  raises("decode", "only be encoded", codec.decode, { encode = tostring }, "")
end)

test("the named ones are fields", function()
  equal(codec.decode(codec.u16, "\1\0"), 1)
  equal(codec.u16.decode("\1\0"), 1)
  equal(codec.i32be.encode(-2), "\xff\xff\xff\xfe")
end)

test("wrong arguments", function()
  for _, as in ipairs { "u17", "", "u16le", 5, true, {} } do raises("invalid", "as: ", codec.decode, as, "") end
  raises("invalid", "as: .*not nil", codec.decode, nil, "")
  raises("invalid", "names are auto .* u16 ", codec.encode, "int", 1)
  raises("invalid", "bytes: a string expected, not nil", codec.decode, "u8", nil)
  raises("invalid", "uuid: ", codec.register, "heart", "u8")
  raises("invalid", "as: ", codec.register, "2a19", "u9")
end)

-- struct and enum

test("struct", function()
  local reading = codec.struct { { "flags", "u8" }, { "celsius", "sfloat" }, { "pair", "<I1I1" }, { "label", "utf8" } }
  local values = codec.decode(reading, bytes_of "01 6ef1 0203 4142")
  equal(values.flags, 1)
  equal(values.celsius, 36.6)
  equal(values.pair[2], 3)
  equal(values.label, "AB")
  equal(codec.encode(reading, values), bytes_of "01 6ef1 0203 4142")
  equal(codec.decode(reading, bytes_of "01 ff07 0203").celsius, nil)
  raises("decode", "at least 5 bytes; 4 came", codec.decode, reading, "\1\2\3\4")
  raises("encode", "flags: u8 takes", codec.encode, reading, { flags = 256 })
  raises("encode", "label: utf8 takes a string, not nil", codec.encode, reading, { flags = 1, pair = { 1, 2 } })
  raises("encode", "takes a table", codec.encode, reading, 1)
end)

test("struct: fixed length, one in another", function()
  local point = codec.struct { { "x", "i16" }, { "y", "i16" } }
  local line = codec.struct { { "from", point }, { "to", point } }
  equal(line.size, 8)
  equal(codec.decode(line, "\1\0\2\0\3\0\4\0").to.x, 3)
  raises("decode", "takes 8 bytes; 9 came", codec.decode, line, ("\0"):rep(9))
  raises("encode", "to: y: i16", codec.encode, line, { from = { x = 1, y = 2 }, to = { x = 1, y = 40000 } })
  raises("invalid", "only the last", codec.struct, { { "a", "utf8" }, { "b", "u8" } })
  raises("invalid", "fields: ", codec.struct, {})
end)

test("enum", function()
  local mode = codec.enum("u8", { [0] = "off", "on" })
  equal(codec.decode(mode, "\0"), "off")
  equal(codec.decode(mode, "\9"), 9)
  equal(codec.encode(mode, "on"), "\1")
  equal(codec.encode(mode, 9), "\9")
  raises("encode", "none of the names", codec.encode, mode, "of")
  raises("encode", "whole number", codec.encode, mode, nil)
  raises("decode", "2 came", codec.decode, mode, "\0\0")
end)

-- "auto"

test("auto: what the SIG has defined", function()
  equal(codec.decode("auto", "\x55", "2a19"), 85)
  equal(codec.decode("auto", "\1", "00002A38-0000-1000-8000-00805F9B34FB"), "chest")
  equal(codec.decode("auto", "Example Ltd", "0x2A29"), "Example Ltd")
  equal(codec.encode("auto", "wrist", "2a38"), "\2")
  raises("decode", "nothing is registered for fff7\n.*codec%.register", codec.decode, "auto", "\1", "fff7")
  raises("encode", "nothing is registered for nil", codec.encode, "auto", 1)
  equal(codec.registered "fff7", nil)
end)

test("auto: what is registered goes first", function()
  codec.register("{00002A19-0000-1000-8000-00805f9b34fb}", "hex")
  equal(codec.decode("auto", "\x55", "2a19"), "55")
  codec.register("6E400001-B5A3-F393-E0A9-E50E24DCCA9E", codec.u16be)
  equal(codec.decode("auto", "\1\2", "6e400001-b5a3-f393-e0a9-e50e24dcca9e"), 258)
end)

-- Errors

test("errors print well", function()
  local plain = errors.new { code = "busy", message = "another operation is running" }
  equal(tostring(plain), "another operation is running")
  plain.advice = "wait for it"
  equal(tostring(plain), "another operation is running\n  wait for it")
  equal(tostring(errors.new { code = "busy" }), "busy")
  equal(errors.is(plain), true)
  for _, other in ipairs { "busy", {}, 1 } do equal(errors.is(other), false) end
end)

tap.done()
