--- Values to bytes and back.
--
-- What is passed as `as` is one of
--   a name of the tables in codec/, such as "u16" or "utf8"
--   a format of string.pack, such as "<I2i2"; little-endian unless it says otherwise
--   a codec: a table with `decode(bytes)` and, to write, `encode(value)`
--   a function, which decodes
--   "auto": what is registered for the characteristic
--
-- Bytes too few or too many raise an error with the code "decode", a value that does not fit one with
-- the code "encode". No number is cut, wrapped or made up.

local complaint = require "codec.complaint"
local errors = require "ble.error"
local format_codec = require "codec.format"

local refuse, describe = complaint.refuse, complaint.describe

local codec = {}
local registered = {} -- by UUID, in its shortest form; over those of the SIG
local formats = {}    -- the codecs of formats, made at first use

local named = { hex = require "codec.hex", uuid = require "codec.uuid" }
for _, family in ipairs { "integers", "ieee754", "ieee11073", "text" } do
  for name, value in pairs(require("codec." .. family)) do named[name] = value end
end
for name, value in pairs(named) do codec[name] = value end

local function names()
  local list = {}
  for name in pairs(named) do list[#list + 1] = name end
  table.sort(list)
  return table.concat(list, " ")
end

--- What "auto" stands for; there has to be something.
local function automatic(id, code)
  local found = codec.registered(id)
  if found then return found end
  return errors.raise {
    code = code,
    message = ('"auto": nothing is registered for %s'):format(named.uuid.shortest(id) or describe(id)),
    advice = 'say what it is (as = "u8", as = "bytes"), or codec.register it',
  }
end

--- The codec of a name or a format.
local function spelled(as)
  local found = named[as] or formats[as]
  if found then return found end
  found = format_codec(as)
  if not found then
    errors.raise {
      code = "invalid",
      message = ("as: %s is no name and no format of string.pack"):format(describe(as)),
      advice = "names are auto " .. names(),
    }
  end
  formats[as] = found
  return found
end

--- The codec that `as` stands for; `code` is that of the error if "auto" is nothing.
local function resolve(as, code, id)
  if as == "auto" then return automatic(id, code) end
  local kind = type(as)
  if kind == "string" then return spelled(as) end
  if kind == "function" then return { decode = as } end
  if kind == "table" and (as.decode or as.encode) then return as end
  return complaint.argument("as", "a name, a format, a codec or a function", as)
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
  if type(bytes) ~= "string" then complaint.argument("bytes", "a string", bytes) end
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
  registered[named.uuid.shortest(id) or complaint.argument("uuid", "a UUID", id)] = resolve(as, "invalid")
end

--- The codec that "auto" stands for, or nil.
function codec.registered(id)
  local short = named.uuid.shortest(id)
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
      complaint.argument(("field %s"):format(describe(name)), "a fixed length (only the last may do without)", as)
    end
    parts[i] = { name = name, codec = found, first = size + 1 }
    size = size and found.size and size + found.size
  end
  if #parts == 0 then complaint.argument("fields", "a list of { name, as }", fields) end

  local struct = { name = "struct", size = size }

  function struct.decode(bytes)
    local least = size or parts[#parts].first - 1
    if #bytes < least or (size and #bytes > size) then
      complaint.length("struct", (size and "" or "at least ") .. complaint.count(least), bytes)
    end
    local values = {}
    for _, part in ipairs(parts) do
      local last = part.codec.size and part.first + part.codec.size - 1 or #bytes
      local piece = string.sub(bytes, part.first, last)
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
    return table.concat(pieces)
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

return codec
