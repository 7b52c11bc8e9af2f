--- Decimal floating point numbers, IEEE 11073-20601: sfloat (16 bits) and float (32 bits), and each with "be".
--
-- A mantissa and an exponent of ten. With exponent 0, five mantissas in the middle are no numbers: NaN, NRes ("not at
-- this resolution") and the reserved one decode to nil, the infinities to math.huge and -math.huge. nil encodes to NaN.
-- What a format can't hold exactly is rounded to the nearest that it can, as in binary.

local complaint = require "codec.complaint"
local fixed = require "codec.fixed"

local pack, unpack = string.pack, string.unpack

--- The order of the bytes by the ending of the name.
local orders = { [""] = "<", be = ">" }

local function scaled(mantissa, exponent)
  -- A division, as powers of ten are exact and tenths are not.
  return exponent < 0 and mantissa / 10.0 ^ -exponent or mantissa * 10.0 ^ exponent
end

local function medical_float(name, size, order, mantissa_bits)
  local layout = order .. "I" .. size
  local half = 1 << mantissa_bits - 1
  local exponent_half = 1 << 8 * size - mantissa_bits - 1
  local not_a_number, infinity, minus_infinity = half - 1, half - 2, half + 2

  local function bits(mantissa, exponent)
    return pack(layout, (exponent & 2 * exponent_half - 1) << mantissa_bits | mantissa & 2 * half - 1)
  end

  local function fits(mantissa, exponent)
    if exponent == 0 then return math.abs(mantissa) <= half - 3 end
    return mantissa >= -half and mantissa < half
  end

  --- The mantissa and the exponent that come nearest, or nil.
  local function nearest(value)
    for exponent = -exponent_half, exponent_half - 1 do
      local mantissa = scaled(value, -exponent)
      if math.abs(mantissa) <= half + 1 then
        mantissa = math.floor(mantissa + 0.5)
        if fits(mantissa, exponent) then return mantissa, exponent end
      end
    end
  end

  return fixed(name, size, function(bytes)
    local raw = unpack(layout, bytes)
    if raw >= half - 2 and raw <= half + 2 then
      if raw == infinity then return math.huge end
      if raw == minus_infinity then return -math.huge end
      return nil
    end
    local mantissa, exponent = raw & 2 * half - 1, raw >> mantissa_bits
    if mantissa >= half then mantissa = mantissa - 2 * half end
    if exponent >= exponent_half then exponent = exponent - 2 * exponent_half end
    return scaled(mantissa, exponent)
  end, function(value)
    if value == nil or value ~= value then return bits(not_a_number, 0) end
    local number = complaint.number(name, value)
    if number == math.huge then return bits(infinity, 0) end
    if number == -math.huge then return bits(minus_infinity, 0) end
    local mantissa, exponent = nearest(number)
    if not mantissa then
      local most = scaled(half - 1, exponent_half - 1)
      complaint.refuse("encode", "%s holds at most %g, not %s", name, most, complaint.describe(value))
    end
    while exponent < 0 and mantissa % 10 == 0 do -- 5 tenths rather than 500 thousandths
      mantissa, exponent = mantissa // 10, exponent + 1
    end
    return bits(mantissa, exponent)
  end)
end

local floats = {}

for ending, order in pairs(orders) do
  floats["sfloat" .. ending] = medical_float("sfloat" .. ending, 2, order, 12)
  floats["float" .. ending] = medical_float("float" .. ending, 4, order, 24)
end

return floats
