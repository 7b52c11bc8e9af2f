--- Values to bytes and back.
--
-- What is passed as `as` is one of
--   a name of the tables below, such as "u16" or "utf8"
--   a format of string.pack, such as "<I2i2"; little-endian unless it says otherwise
--   a codec: a table with `decode(bytes)` and, to write, `encode(value)`
--   a function, which decodes
--   "auto": what is registered for the characteristic
--
-- Bytes too few or too many raise an error with the code "decode", a value that does not fit one with
-- the code "encode". No number is cut, wrapped or made up.

local errors = require "ble.error"

-- Taken now: where scripts of strangers run, `string` has less in it.
local byte, char, format, lower = string.byte, string.char, string.format, string.lower
local find, rep, reverse, sub = string.find, string.rep, string.reverse, string.sub
local pack, packsize, unpack = string.pack, string.packsize, string.unpack
local concat = table.concat

local codec = {}
local named = {}      -- the codecs by their names; they are fields of the module, too
local registered = {} -- by UUID, in its shortest form; over those of the SIG

local function refuse(code, message, ...)
  errors.raise { code = code, message = format(message, ...) }
end

local function dump(bytes)
  if #bytes == 0 then return "" end
  local shown = { byte(bytes, 1, 12) }
  for i, b in ipairs(shown) do shown[i] = format("%02x", b) end
  return ": " .. concat(shown, " ") .. (#bytes > 12 and " …" or "")
end

local function count(n)
  return n == 1 and "1 byte" or n .. " bytes"
end

local function describe(value)
  if type(value) ~= "string" then return tostring(value) end
  return #value > 40 and format("%q…", sub(value, 1, 40)) or format("%q", value)
end

--- A codec of a fixed number of bytes, given the functions that do it without looking at the length.
local function fixed(name, size, decode, encode)
  named[name] = {
    name = name,
    size = size,
    decode = function(bytes)
      if #bytes ~= size then
        refuse("decode", "%s takes %s; %d came%s", name, count(size), #bytes, dump(bytes))
      end
      return decode(bytes)
    end,
    encode = encode,
  }
end

--- A codec of any number of bytes.
local function flexible(name, decode, encode)
  named[name] = { name = name, decode = decode, encode = encode }
end

--- "<" or ">" for each ending of a name.
local endings = { [""] = "<", be = ">" }

-- Integers: u8 i8 u16 i16 u24 i24 u32 i32 u48 u64 i64, and each with "be".

local function integer(name, size, letter, order)
  local layout = order .. letter .. size
  local least, most = 0, math.maxinteger -- a Lua integer holds no more, so half of u64
  if letter == "i" then
    least, most = -(1 << 8 * size - 1), (1 << 8 * size - 1) - 1
  elseif size < 8 then
    most = (1 << 8 * size) - 1
  end
  fixed(name, size, function(bytes)
    local value = unpack(layout, bytes)
    if value < least then
      refuse("decode", '%s: 0x%x is more than Lua\'s integers hold; "hex" can take it', name, value)
    end
    return value
  end, function(value)
    local whole = math.type(value) and math.tointeger(value)
    if not whole or whole < least or whole > most then
      refuse("encode", "%s takes a whole number from %d to %d, not %s", name, least, most, describe(value))
    end
    return pack(layout, whole)
  end)
end

for ending, order in pairs(endings) do
  for _, size in ipairs { 1, 2, 3, 4, 6, 8 } do
    integer("u" .. 8 * size .. ending, size, "I", order)
    if size ~= 6 then integer("i" .. 8 * size .. ending, size, "i", order) end
  end
end

-- IEEE 754: f32 and f64, and each with "be". NaN is a NaN.

local largest_f32 = 0x1.fffffep127

local function number_for(name, value)
  if not math.type(value) then refuse("encode", "%s takes a number, not %s", name, describe(value)) end
  return value + 0.0
end

for ending, order in pairs(endings) do
  fixed("f32" .. ending, 4, function(bytes)
    return (unpack(order .. "f", bytes))
  end, function(value)
    local number = number_for("f32", value)
    local magnitude = math.abs(number)
    if magnitude > largest_f32 and magnitude < math.huge then
      refuse("encode", "f32 holds at most %.8g, not %s", largest_f32, describe(value))
    end
    return pack(order .. "f", number)
  end)
  fixed("f64" .. ending, 8, function(bytes)
    return (unpack(order .. "d", bytes))
  end, function(value)
    return pack(order .. "d", number_for("f64", value))
  end)
end

-- IEEE 11073-20601: sfloat (16 bits) and float (32 bits), decimal: a mantissa and an exponent of ten.
-- With exponent 0, five mantissas in the middle are no numbers: NaN, NRes ("not at this resolution") and
-- the reserved one decode to nil, the infinities to math.huge and -math.huge. nil encodes to NaN.

local function scaled(mantissa, exponent)
  -- A division, as powers of ten are exact and tenths are not.
  return exponent < 0 and mantissa / 10.0 ^ -exponent or mantissa * 10.0 ^ exponent
end

local function medical_float(name, size, order, mantissa_bits)
  local layout = order .. "I" .. size
  local half = 1 << mantissa_bits - 1
  local exponent_half = 1 << 8 * size - mantissa_bits - 1
  local not_a_number, infinity, minus_infinity = half - 1, half - 2, half + 2

  local function bits(mantissa, exponent)
    return pack(layout, (exponent & 2 * exponent_half - 1) << mantissa_bits | mantissa & 2 * half - 1)
  end

  local function fits(mantissa, exponent)
    if exponent == 0 then return math.abs(mantissa) <= half - 3 end
    return mantissa >= -half and mantissa < half
  end

  --- The mantissa and the exponent that come nearest, or nil.
  local function nearest(value)
    for exponent = -exponent_half, exponent_half - 1 do
      local mantissa = scaled(value, -exponent)
      if math.abs(mantissa) <= half + 1 then
        mantissa = math.floor(mantissa + 0.5)
        if fits(mantissa, exponent) then return mantissa, exponent end
      end
    end
  end

  fixed(name, size, function(bytes)
    local raw = unpack(layout, bytes)
    if raw >= half - 2 and raw <= half + 2 then
      if raw == infinity then return math.huge end
      if raw == minus_infinity then return -math.huge end
      return nil
    end
    local mantissa, exponent = raw & 2 * half - 1, raw >> mantissa_bits
    if mantissa >= half then mantissa = mantissa - 2 * half end
    if exponent >= exponent_half then exponent = exponent - 2 * exponent_half end
    return scaled(mantissa, exponent)
  end, function(value)
    if value == nil or value ~= value then return bits(not_a_number, 0) end
    local number = number_for(name, value)
    if number == math.huge then return bits(infinity, 0) end
    if number == -math.huge then return bits(minus_infinity, 0) end
    local mantissa, exponent = nearest(number)
    if not mantissa then
      refuse("encode", "%s holds at most %g, not %s", name, scaled(half - 1, exponent_half - 1), describe(value))
    end
    while exponent < 0 and mantissa % 10 == 0 do -- 5 tenths rather than 500 thousandths
      mantissa, exponent = mantissa // 10, exponent + 1
    end
    return bits(mantissa, exponent)
  end)
end

for ending, order in pairs(endings) do
  medical_float("sfloat" .. ending, 2, order, 12)
  medical_float("float" .. ending, 4, order, 24)
end

-- bool: one byte, 0 or 1.

fixed("bool", 1, function(bytes)
  local value = byte(bytes)
  if value > 1 then refuse("decode", "bool takes 00 or 01; %02x came", value) end
  return value == 1
end, function(value)
  if type(value) ~= "boolean" then refuse("encode", "bool takes true or false, not %s", describe(value)) end
  return value and "\1" or "\0"
end)

-- bytes, utf8 and hex: all that there is.

local function text_for(name, value)
  if type(value) ~= "string" then refuse("encode", "%s takes a string, not %s", name, describe(value)) end
  return value
end

flexible("bytes", function(bytes)
  return bytes
end, function(value)
  return text_for("bytes", value)
end)

-- Many devices fill the rest of a field with zeros; they are no text.
flexible("utf8", function(bytes)
  local length = #bytes
  while length > 0 and byte(bytes, length) == 0 do length = length - 1 end
  local text = sub(bytes, 1, length)
  local good, bad = utf8.len(text)
  if not good then refuse("decode", "utf8: byte %d of %d is no UTF-8%s", bad, #bytes, dump(bytes)) end
  return text
end, function(value)
  if not utf8.len(text_for("utf8", value)) then refuse("encode", "utf8: the string is no UTF-8%s", dump(value)) end
  return value
end)

local function to_hex(bytes)
  return format(rep("%02x", #bytes), byte(bytes, 1, #bytes))
end

local digits, fillers = {}, {}
for n = 0, 15 do digits[format("%x", n)], digits[format("%X", n)] = format("%x", n), format("%x", n) end
for _, filler in ipairs { " ", ":", "-", "\n", "\t" } do fillers[filler] = true end

--- The digits of `text` in lower case without what stands between them, or nil if there is more than that.
local function hex_digits(text)
  local found = {}
  for i = 1, #text do
    local letter = sub(text, i, i)
    if digits[letter] then
      found[#found + 1] = digits[letter]
    elseif not fillers[letter] then
      return nil
    end
  end
  return concat(found)
end

local function from_hex(clean)
  local bytes = {}
  for i = 1, #clean, 2 do bytes[#bytes + 1] = char(tonumber(sub(clean, i, i + 1), 16)) end
  return concat(bytes)
end

flexible("hex", function(bytes)
  local parts = {}
  for i = 1, #bytes, 64 do parts[#parts + 1] = to_hex(sub(bytes, i, i + 63)) end
  return concat(parts)
end, function(value)
  local clean = hex_digits(text_for("hex", value))
  if not clean or #clean % 2 == 1 then
    refuse("encode", "hex takes pairs of hexadecimal digits, not %s", describe(value))
  end
  return from_hex(clean)
end)

-- uuid: 2, 4 or 16 bytes, the last first, as on the air. In text the shortest form: "180f", else 36 characters.

local base = "00001000800000805f9b34fb"

local function dashed(long)
  return concat({ sub(long, 1, 8), sub(long, 9, 12), sub(long, 13, 16), sub(long, 17, 20), sub(long, 21) }, "-")
end

--- The shortest form of 4, 8 or 32 digits.
local function shortest(clean)
  if #clean == 4 then return clean end
  local long = #clean == 8 and clean .. base or clean
  if sub(long, 1, 4) == "0000" and sub(long, 9) == base then return sub(long, 5, 8) end
  return dashed(long)
end

--- The shortest form of a UUID in any form, or nil: "0x180F", "{0000180F-0000-1000-8000-00805F9B34FB}".
local function uuid(text)
  if type(text) ~= "string" then return nil end
  if sub(text, 1, 1) == "{" and sub(text, -1) == "}" then text = sub(text, 2, -2) end
  if sub(text, 1, 2) == "0x" or sub(text, 1, 2) == "0X" then text = sub(text, 3) end
  local clean = hex_digits(text)
  if not clean or (#clean ~= 4 and #clean ~= 8 and #clean ~= 32) then return nil end
  if #text ~= #clean and lower(text) ~= dashed(clean) then return nil end
  return shortest(clean)
end

flexible("uuid", function(bytes)
  if #bytes ~= 2 and #bytes ~= 4 and #bytes ~= 16 then
    refuse("decode", "uuid takes 2, 4 or 16 bytes; %d came%s", #bytes, dump(bytes))
  end
  return shortest(to_hex(reverse(bytes)))
end, function(value)
  local short = uuid(value)
  if not short then refuse("encode", "uuid takes a UUID, not %s", describe(value)) end
  return reverse(from_hex(hex_digits(short)))
end)

-- Formats of string.pack.

local formats = {} -- a codec each, made at first use

local function several(values)
  return type(values) == "table" and values or { values, n = 1 }
end

local function format_codec(text)
  local layout = "<" .. text
  local sized, size = pcall(packsize, layout)
  return {
    name = text,
    size = sized and size or nil,
    decode = function(bytes)
      local results = table.pack(pcall(unpack, layout, bytes))
      if not results[1] then
        refuse("decode", "%s takes %s; %d came%s", text, sized and count(size) or "more", #bytes, dump(bytes))
      end
      local next = results[results.n]
      if next ~= #bytes + 1 then
        refuse("decode", "%s takes %s; %d came%s", text, count(next - 1), #bytes, dump(bytes))
      end
      return table.unpack(results, 2, results.n - 1)
    end,
    encode = function(value)
      local values = several(value)
      local given = values.n or #values
      local good, bytes = pcall(pack, layout, table.unpack(values, 1, given))
      if not good then -- "bad argument #2 to 'pack' (number expected, got nil)": what is in brackets
        refuse("encode", "%s: %s", text, sub(bytes, (find(bytes, "(", 1, true) or 0) + 1, -2))
      end
      local taken = select("#", unpack(layout, bytes)) - 1
      if taken ~= given then refuse("encode", "%s takes %d values, not %d", text, taken, given) end
      return bytes
    end,
  }
end

local zeros = rep("\0", 1024)

--- Whether string.unpack knows the format: zeros suit every one, if there are enough of them.
local function is_format(text)
  local good, complaint = pcall(unpack, "<" .. text, zeros)
  return text ~= "" and (good or find(complaint, "data string too short", 1, true))
end

-- What `as` stands for.

local function names()
  local list = {}
  for name in pairs(named) do list[#list + 1] = name end
  table.sort(list)
  return concat(list, " ")
end

local function automatic(code, id)
  local found = codec.registered(id)
  if not found then
    errors.raise {
      code = code,
      message = format('"auto": nothing is registered for %s', uuid(id) or describe(id)),
      advice = 'say what it is (as = "u8", as = "bytes"), or codec.register it',
    }
  end
  return found
end

local function wrong(argument, wanted, value)
  errors.raise { code = "invalid", message = format("%s: %s expected, not %s", argument, wanted, describe(value)) }
end

local function resolve(as, code, id)
  local kind = type(as)
  if kind == "string" then
    if as == "auto" then return automatic(code, id) end
    local found = named[as] or formats[as]
    if not found and is_format(as) then
      found = format_codec(as)
      formats[as] = found
    end
    if found then return found end
    errors.raise {
      code = "invalid",
      message = format("as: %q is no name and no format of string.pack", as),
      advice = "names are auto " .. names(),
    }
  elseif kind == "function" then
    return { decode = as }
  elseif kind == "table" and (as.decode or as.encode) then
    return as
  end
  return wrong("as", "a name, a format, a codec or a function", as)
end

--- The results of a protected call; errors of the user's own get a code.
local function settle(code, good, ...)
  if good then return ... end
  local problem = ...
  if errors.is(problem) then error(problem, 0) end
  return errors.raise { code = code, message = tostring(problem) }
end

--- Decodes all of `bytes`. `id`: the characteristic's UUID, for "auto". Gives several values where a format does.
function codec.decode(as, bytes, id)
  if type(bytes) ~= "string" then wrong("bytes", "a string", bytes) end
  local chosen = resolve(as, "decode", id)
  if not chosen.decode then refuse("decode", "%s can only be encoded", chosen.name or "this codec") end
  return settle("decode", pcall(chosen.decode, bytes))
end

--- Encodes a value; for a format of several, a list of them. `id`: the characteristic's UUID, for "auto".
function codec.encode(as, value, id)
  local chosen = resolve(as, "encode", id)
  if not chosen.encode then refuse("encode", "%s can only be decoded", chosen.name or "this codec") end
  local bytes = settle("encode", pcall(chosen.encode, value))
  if type(bytes) ~= "string" then refuse("encode", "the codec gave %s, not bytes", describe(bytes)) end
  return bytes
end

--- From now on "auto" means this for characteristics of that UUID.
function codec.register(id, as)
  registered[uuid(id) or wrong("uuid", "a UUID", id)] = resolve(as, "invalid")
end

--- The codec that "auto" stands for, or nil.
function codec.registered(id)
  local short = uuid(id)
  return short and (registered[short] or require("sig")[short])
end

-- Codecs made of others.

--- Prefixes the message of an error with where it happened.
local function inside(field, code, good, ...)
  if good then return ... end
  local problem = ...
  if not errors.is(problem) then problem = errors.new { code = code, message = tostring(problem) } end
  problem.message = field .. ": " .. problem.message
  error(problem, 0)
end

local function one(...)
  if select("#", ...) > 1 then return { ... } end
  return (...)
end

--- A table whose fields follow each other: codec.struct{ { "flags", "u8" }, { "value", "i16" } }.
-- All but the last must have a fixed length.
function codec.struct(fields)
  local parts, size = {}, 0
  for i, field in ipairs(fields) do
    local name, as = field[1], field[2]
    local found = resolve(as, "invalid")
    if not found.size and i < #fields then
      wrong(format("field %s", describe(name)), "a fixed length (only the last may do without)", as)
    end
    parts[i] = { name = name, codec = found, first = size + 1 }
    size = size and found.size and size + found.size
  end
  if #parts == 0 then wrong("fields", "a list of { name, as }", fields) end

  local struct = { name = "struct", size = size }

  function struct.decode(bytes)
    local least = size or parts[#parts].first - 1
    if #bytes < least or (size and #bytes > size) then
      refuse("decode", "struct takes %s%s; %d came%s", size and "" or "at least ", count(least), #bytes, dump(bytes))
    end
    local values = {}
    for _, part in ipairs(parts) do
      local last = part.codec.size and part.first + part.codec.size - 1 or #bytes
      local piece = sub(bytes, part.first, last)
      values[part.name] = one(inside(part.name, "decode", pcall(codec.decode, part.codec, piece)))
    end
    return values
  end

  function struct.encode(values)
    if type(values) ~= "table" then refuse("encode", "struct takes a table, not %s", describe(values)) end
    local pieces = {}
    for i, part in ipairs(parts) do
      pieces[i] = inside(part.name, "encode", pcall(codec.encode, part.codec, values[part.name]))
    end
    return concat(pieces)
  end

  return struct
end

--- Names for numbers: codec.enum("u8", { [0] = "off", "on" }). A number without a name stays a number.
function codec.enum(as, by_number)
  local number = resolve(as, "invalid")
  local by_name = {}
  for n, name in pairs(by_number) do by_name[name] = n end
  return {
    name = "enum",
    size = number.size,
    decode = function(bytes)
      local n = codec.decode(number, bytes)
      return by_number[n] or n
    end,
    encode = function(value)
      if type(value) == "string" and not by_name[value] then
        refuse("encode", "%s is none of the names", describe(value))
      end
      return codec.encode(number, by_name[value] or value)
    end,
  }
end

for name, value in pairs(named) do codec[name] = value end

return codec
