--- A duration in one byte, s: 1.1 to the power of n - 64. 0 s is 0, "not known" 255. The total life of the device, 254,
-- is math.huge.

local complaint = require "codec.complaint"
local fixed = require "codec.fixed"

local BASE, MIDDLE, LIFE, UNKNOWN = 1.1, 64, 254, 255

local codec = fixed("exponential time", 1, function(bytes)
  local n = bytes:byte()
  if n == 0 then return 0.0 end
  if n == LIFE then return math.huge end
  if n == UNKNOWN then return nil end
  return BASE ^ (n - MIDDLE)
end, function(seconds)
  if seconds == nil then return string.char(UNKNOWN) end
  local number = complaint.number("a duration", seconds)
  if number == 0 then return "\0" end
  if number == math.huge then return string.char(LIFE) end
  local n = number > 0 and math.floor(math.log(number, BASE) + MIDDLE + 0.5)
  if not n or n < 1 or n >= LIFE then
    complaint.refuse("encode", "takes %.4g to %.4g s, not %s", BASE ^ (1 - MIDDLE), BASE ^ (LIFE - 1 - MIDDLE),
      complaint.describe(seconds))
  end
  return string.char(n)
end)

codec.unit = "s"

return codec
