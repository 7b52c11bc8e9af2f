--- uuid: 2, 4 or 16 bytes, the last first, as on the air. In text the shortest form: "180f", else 36 characters.

local complaint = require "codec.complaint"
local hex = require "codec.hex"

local lower, reverse, sub = string.lower, string.reverse, string.sub

local uuid = { name = "uuid" }

-- Core Specification, Vol 3 Part B, 2.5.1: what follows the number that the SIG assigned.
local base = "00001000800000805f9b34fb"

local function dashed(long)
  return table.concat({ sub(long, 1, 8), sub(long, 9, 12), sub(long, 13, 16), sub(long, 17, 20), sub(long, 21) }, "-")
end

--- The shortest form of 4, 8 or 32 digits.
local function shorten(digits)
  if #digits == 4 then return digits end
  local long = #digits == 8 and digits .. base or digits
  if sub(long, 1, 4) == "0000" and sub(long, 9) == base then return sub(long, 5, 8) end
  return dashed(long)
end

--- The shortest form of a UUID in any form, or nil: "0x180F", "{0000180F-0000-1000-8000-00805F9B34FB}".
function uuid.shortest(text)
  if type(text) ~= "string" then return nil end
  if sub(text, 1, 1) == "{" and sub(text, -1) == "}" then text = sub(text, 2, -2) end
  if sub(text, 1, 2) == "0x" or sub(text, 1, 2) == "0X" then text = sub(text, 3) end
  local digits = hex.digits(text)
  if not digits or (#digits ~= 4 and #digits ~= 8 and #digits ~= 32) then return nil end
  if #text ~= #digits and lower(text) ~= dashed(digits) then return nil end
  return shorten(digits)
end

function uuid.decode(bytes)
  if #bytes ~= 2 and #bytes ~= 4 and #bytes ~= 16 then complaint.length("uuid", "2, 4 or 16 bytes", bytes) end
  return shorten(hex.decode(reverse(bytes)))
end

function uuid.encode(value)
  local short = uuid.shortest(value)
  if not short then complaint.refuse("encode", "uuid takes a UUID, not %s", complaint.describe(value)) end
  return reverse(hex.encode(short))
end

return uuid
