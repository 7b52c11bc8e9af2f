--- What may stand where a codec is wanted: a name, a format of string.pack, a codec or a function.

local complaint = require "codec.complaint"
local errors = require "ble.error"
local format_codec = require "codec.format"

local spelling = {}

local formats = {} -- the codecs of formats, made at first use

local named = { hex = require "codec.hex", uuid = require "codec.uuid" }
for _, family in ipairs { "integers", "ieee754", "ieee11073", "text" } do
  for name, value in pairs(require("codec." .. family)) do named[name] = value end
end

--- The codecs that have a name.
spelling.named = named

local function names()
  local list = {}
  for name in pairs(named) do list[#list + 1] = name end
  table.sort(list)
  return table.concat(list, " ")
end

--- The codec of a name or a format.
local function spelled(as)
  local found = named[as] or formats[as]
  if found then return found end
  found = format_codec(as)
  if not found then
    errors.raise {
      code = "invalid",
      message = ("as: %s is no name and no format of string.pack"):format(complaint.describe(as)),
      advice = "names are auto " .. names(),
    }
  end
  formats[as] = found
  return found
end

--- The codec that `as` stands for. "auto" is none here: what it means depends on the characteristic.
function spelling.codec(as)
  local kind = type(as)
  if kind == "string" then
    if as == "auto" then complaint.argument("as", 'something other than "auto" inside a codec', as) end
    return spelled(as)
  end
  if kind == "function" then return { decode = as } end
  if kind == "table" and (as.decode or as.encode) then return as end
  return complaint.argument("as", "a name, a format, a codec or a function", as)
end

return spelling
