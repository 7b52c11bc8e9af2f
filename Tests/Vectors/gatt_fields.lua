--- Finds the fields of values by name, with their codecs, and compares them with what is expected.
--
-- Expectations have numbers where the codecs have names or tables of flags; the codecs say which number that is.

local codec = require "codec"
local compare = require "compare"
local json = require "json"

local fields = {}

--- The codec of a field, nil if it has none.
local function codec_of(as, name)
  if as.choices then return codec_of(as.choices[1], name) end
  if name == "opcode" and as.names then return { names = as.names } end
  for _, part in ipairs(as.parts or {}) do
    if part.name == name then return part.codec or part end
    local found = part.merged and codec_of(part.codec, name)
    if found then return found end
  end
end

--- What an expectation's property is in a value: `reading` is a name, a function of the value, or nil for the property
-- itself. Returns it with its codec.
function fields.find(as, value, reading, property)
  if type(reading) == "function" then return reading(value, property) end
  local name = reading or property
  if name == "value" and (type(value) ~= "table" or value.value == nil) then return value, as end
  if name == "unit" and type(value) ~= "table" then return as.unit end
  if type(value) ~= "table" then return value, as end
  if value[name] == nil and name == "features" then return value, as end
  return value[name], codec_of(as, name)
end

local function number_of(as, value)
  local raw = (as.raw or as).encode and as.encode(value)
  local number = 0
  for i = #raw, 1, -1 do number = number << 8 | raw:byte(i) end
  return number
end

--- A date, a time or a duration as the expectation has it.
local function moment(text, got)
  local hours, minutes, seconds = text:match "^(%d+):(%d%d):(%d%d)$"
  if hours then return compare.near(got, hours * 3600 + minutes * 60 + seconds, 0.5) end
  if type(got) ~= "table" then return false end
  local date = ("%04d-%02d-%02d"):format(got.year or 0, got.month or 0, got.day or 0)
  if got.hour then date = date .. ("T%02d:%02d:%02d"):format(got.hour, got.min, got.sec) end
  return date == text
end

local function equal_number(got, wanted, as)
  if type(got) == "number" then return compare.near(got, wanted) end
  if type(got) == "boolean" then return (got and 1 or 0) == wanted end
  if not as or got == nil then return false end
  if type(got) == "string" then return as.names ~= nil and as.names[wanted] == got end
  return number_of(as, got) == wanted
end

local function equal_text(got, wanted)
  if got == wanted then return true end
  if type(got) == "string" then return codec.decode("hex", got) == wanted end
  return moment(wanted, got)
end

local function equal_table(got, wanted, as)
  if type(got) ~= "table" then return got == "" and next(wanted) == nil end
  for key, inner in pairs(wanted) do
    local part = as and (as.item or codec_of(as, key))
    if not fields.equal(got[key], inner, part) then return false end
  end
  return #got == #wanted
end

function fields.equal(got, wanted, as)
  if wanted == json.null then return got == nil end
  local kind = type(wanted)
  if kind == "number" then return equal_number(got, wanted, as) end
  if kind == "string" then return equal_text(got, wanted) end
  if kind == "table" then return equal_table(got, wanted, as) end
  return got == wanted
end

return fields
