--- The inside of the Lua state in which decoders run. Only the host calls it.
--
-- Each decoder gets copies of the few libraries that it may see, so that it can't change those of others. What could
-- run long inside C, where no instruction is counted, is left out or bounded.

local codec = require "codec"
local contract = require "decoder.contract"
local crypto = require "crypto"
local memory = require "decoder.memory"

local LONGEST = 65536

local function pick(library, names)
  local result = {}
  for name in names:gmatch "%S+" do result[name] = library[name] end
  return result
end

local strings = pick(string, "byte char format len lower pack packsize reverse sub unpack upper")

function strings.rep(text, count, separator)
  if count > LONGEST or (#text + #(separator or "")) * count > LONGEST then
    error("string.rep: the result is too long for a decoder", 2)
  end
  return string.rep(text, count, separator)
end

local libraries = {
  string = strings,
  table = pick(table, "concat insert pack remove sort unpack"),
  math = pick(math, [[abs acos asin atan ceil cos deg exp floor fmod huge log max maxinteger min mininteger modf pi
    rad sin sqrt tan tointeger type ult]]),
  utf8 = pick(utf8, "char codepoint codes len offset"),
  codec = {},
  crypto = crypto,
}
-- "auto" is about characteristics, and what is registered for scripts is not known here.
for name, value in pairs(codec) do
  if name ~= "register" and name ~= "registered" then libraries.codec[name] = value end
end

local functions = pick(_G, "assert error ipairs next pairs select tonumber tostring type")

local function environment()
  local env = {}
  for name, value in pairs(functions) do env[name] = value end
  for name, library in pairs(libraries) do
    local copy = {}
    for key, value in next, library do copy[key] = value end
    env[name] = copy
  end
  return env
end

-- ("x"):rep(n) comes this way; patterns can run for ages.
getmetatable("").__index = strings

local decoders = {}

local sandbox = {}

--- Runs a file and checks what it returns. Gives what the host needs to know of it.
function sandbox.add(code, name)
  local chunk, fault = load(code, "@" .. name, "t", environment())
  if not chunk then error(fault, 0) end
  local decoder = contract.decoder(chunk())
  decoder.memory = memory.new()
  decoders[#decoders + 1] = decoder
  return {
    number = #decoders,
    name = decoder.meta.name,
    version = decoder.meta.version,
    model = #decoder.meta.models == 1 and decoder.meta.models[1] or nil,
    key_bytes = decoder.key and decoder.key.bytes,
    match = decoder.match,
    tests = decoder.tests,
  }
end

local function six_bytes(address)
  local bytes = {}
  for i = 1, 16, 3 do bytes[#bytes + 1] = string.char(tonumber(address:sub(i, i + 1), 16)) end
  return table.concat(bytes)
end

--- A table of fields; nil; or nil and why there is none.
function sandbox.decode(number, rule, payload, adv, key)
  local decoder = decoders[number]
  local address = adv.address
  -- Here too: the last call for this address may have failed.
  decoder.memory:check(address)
  local context = {
    rule = rule, adv = adv, address = six_bytes(address), key = key, state = decoder.memory:of(address),
  }
  local result, reason = contract.reading(decoder, decoder.decode(payload, context))
  decoder.memory:check(address)
  return result, reason
end

return sandbox
