--- Binary floating point numbers, IEEE 754: f32 and f64, and each with "be". NaN is a NaN.

local complaint = require "codec.complaint"
local fixed = require "codec.fixed"

local pack, unpack = string.pack, string.unpack

--- The order of the bytes by the ending of the name.
local orders = { [""] = "<", be = ">" }

local largest_f32 = 0x1.fffffep127

local floats = {}

for ending, order in pairs(orders) do
  floats["f32" .. ending] = fixed("f32" .. ending, 4, function(bytes)
    return (unpack(order .. "f", bytes))
  end, function(value)
    local number = complaint.number("f32", value)
    local magnitude = math.abs(number)
    if magnitude > largest_f32 and magnitude < math.huge then
      complaint.refuse("encode", "f32 holds at most %.8g, not %s", largest_f32, complaint.describe(value))
    end
    return pack(order .. "f", number)
  end)
  floats["f64" .. ending] = fixed("f64" .. ending, 8, function(bytes)
    return (unpack(order .. "d", bytes))
  end, function(value)
    return pack(order .. "d", complaint.number("f64", value))
  end)
end

return floats
