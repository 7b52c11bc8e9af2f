--- A date and time of day, 7 bytes: { year = 2026, month = 11, day = 30, hour = 13, min = 42, sec = 5 }, as os.time
-- takes it. A year, month or day that is not known is nil, 0 in the bytes.

local codec = require "codec"
local complaint = require "codec.complaint"

--- A whole number; `unknown` where 0 stands for nil. Only what is written is checked: clocks of devices are off at
-- times.
local function within(as, least, most, unknown)
  local number = codec[as]
  return {
    name = as, size = number.size,
    decode = function(bytes)
      local value = number.decode(bytes)
      if unknown and value == 0 then return nil end
      return value
    end,
    encode = function(value)
      if value == nil and unknown then return number.encode(0) end
      local whole = math.type(value) and math.tointeger(value)
      if not whole or whole < least or whole > most then
        complaint.refuse("encode", "takes a whole number from %d to %d, not %s", least, most, complaint.describe(value))
      end
      return number.encode(whole)
    end,
  }
end

local year = { "year", within("u16", 1582, 9999, true) }
local month = { "month", within("u8", 1, 12, true) }
local day = { "day", within("u8", 1, 31, true) }

local layout = codec.record("date and time", {
  year, month, day,
  { "hour", within("u8", 0, 23) },
  { "min", within("u8", 0, 59) },
  { "sec", within("u8", 0, 59) },
})

-- What os.date("*t") gives has fields more.
local derived = { isdst = true, wday = true, yday = true }

local encode = layout.encode

function layout.encode(value)
  if type(value) ~= "table" then return encode(value) end
  local plain = {}
  for key, field in pairs(value) do
    if not derived[key] then plain[key] = field end
  end
  return encode(plain)
end

--- For dates without a time of day.
layout.fields = { year = year, month = month, day = day }

return layout
