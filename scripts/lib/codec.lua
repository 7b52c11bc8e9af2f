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
local run = require "codec.run"
local spelling = require "codec.spelling"
local uuid = require "codec.uuid"

local codec = {
  struct = require "codec.struct",
  record = require "codec.record",
  command = require "codec.command",
  enum = require "codec.enum",
  bits = require "codec.bits",
  scaled = require "codec.scaled",
  list = require "codec.list",
  either = require "codec.either",
}
for name, value in pairs(spelling.named) do codec[name] = value end

local registered = {} -- by UUID, in its shortest form; over those of the SIG

--- What "auto" stands for; there has to be something.
local function automatic(id, code)
  local found = codec.registered(id)
  if found then return found end
  return errors.raise {
    code = code,
    message = ('"auto": nothing is registered for %s'):format(uuid.shortest(id) or complaint.describe(id)),
    advice = 'say what it is (as = "u8", as = "bytes"), or codec.register it',
  }
end

--- The codec that `as` stands for; `code` is that of the error if "auto" is nothing.
local function resolve(as, code, id)
  if as == "auto" then return automatic(id, code) end
  return spelling.codec(as)
end

--- Decodes all of `bytes`. `id`: the characteristic's UUID, for "auto". Gives several values where a format does.
function codec.decode(as, bytes, id)
  if type(bytes) ~= "string" then complaint.argument("bytes", "a string", bytes) end
  return run.decode(resolve(as, "decode", id), bytes)
end

--- Encodes a value; for a format of several, a list of them. `id`: the characteristic's UUID, for "auto".
function codec.encode(as, value, id)
  return run.encode(resolve(as, "encode", id), value)
end

--- From now on "auto" means this for characteristics of that UUID.
function codec.register(id, as)
  registered[uuid.shortest(id) or complaint.argument("uuid", "a UUID", id)] = resolve(as, "invalid")
end

--- The codec that "auto" stands for, or nil.
function codec.registered(id)
  local short = uuid.shortest(id)
  return short and (registered[short] or require("sig")[short])
end

return codec
