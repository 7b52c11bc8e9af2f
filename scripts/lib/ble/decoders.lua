--- Decoding advertisements, and the keys that some of them want.

local codec = require "codec"
local native = require "decoders.native"

local decoders = {}

local function by_address(keys, source)
  local result = {}
  for address, key in pairs(keys) do
    if type(address) ~= "string" or type(key) ~= "string" then
      error(source .. ': a table expected, such as { ["AA:BB:CC:DD:EE:FF"] = "hexadecimal digits" }', 0)
    end
    result[address:upper()] = key
  end
  return result
end

local function from_file()
  local file = native.keys_file()
  if not file then return {} end
  local keys = assert(loadfile(file, "t", {}))()
  if type(keys) ~= "table" then error(file .. ": it has to return a table, by address", 0) end
  return by_address(keys, file)
end

local held -- read at first use

local function all()
  held = held or from_file()
  return held
end

--- Keys by address, in either case.
decoders.keys = setmetatable({}, {
  __index = function(_, address) return type(address) == "string" and all()[address:upper()] or nil end,
  __newindex = function(_, address, key)
    for name, text in pairs(by_address({ [address] = key or "" }, "ble.keys")) do all()[name] = key and text end
  end,
  __pairs = function() return next, all() end,
})

local function key_of(address)
  local key = decoders.keys[address]
  if not key then return nil end
  local good, bytes = pcall(codec.encode, "hex", key)
  if not good then error(("the key of %s is not made of hexadecimal digits"):format(address), 0) end
  return bytes
end

--- What an advertisement says; nil where no decoder knows it; nil, the reason and the decoder where it can't be read.
function decoders.decode(adv)
  return native.decode(adv, key_of(adv.address))
end

return decoders
