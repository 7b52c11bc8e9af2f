--- Days since 1970-01-01, 3 bytes, as { year = 2026, month = 11, day = 30 }.

local codec = require "codec"
local complaint = require "codec.complaint"

local SECONDS = 24 * 60 * 60

--- Days to the first of March of a year, in the calendar of today. Years that start in March end with the leap day.
local function days_to_march(year)
  return 365 * year + year // 4 - year // 100 + year // 400
end

local EPOCH = days_to_march(1969) + 306 -- from March the first to January the first

local function days_of(date)
  local year, month = date.year, date.month
  if month <= 2 then year, month = year - 1, month + 12 end
  return days_to_march(year) + (153 * (month - 3) + 2) // 5 + date.day - 1 - EPOCH
end

local function whole(value, least, most)
  local number = math.type(value) and math.tointeger(value)
  return number and number >= least and number <= most
end

return {
  name = "date", size = 3,
  decode = function(bytes)
    local parts = os.date("!*t", codec.u24.decode(bytes) * SECONDS)
    return { year = parts.year, month = parts.month, day = parts.day }
  end,
  encode = function(date)
    if type(date) ~= "table" or not (whole(date.year, 1970, 9999) and whole(date.month, 1, 12)
      and whole(date.day, 1, 31)) then
      complaint.refuse("encode", "takes { year = 2026, month = 11, day = 30 }, from 1970 on")
    end
    return codec.u24.encode(days_of(date))
  end,
}
