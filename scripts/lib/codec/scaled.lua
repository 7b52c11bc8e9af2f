--- A whole number that stands for a quantity: codec.scaled("i16", 0.01, "°C", -32768), in steps of 0.01 °C.
-- The last is the number that stands for "not known", nil in Lua.

local complaint = require "codec.complaint"
local spelling = require "codec.spelling"

local abs, floor, tointeger = math.abs, math.floor, math.tointeger

--- What to divide by for a step such as 0.01, as a hundred is exact and a hundredth is not; nil for other steps.
local function divisor(step)
  if step >= 1 then return nil end
  local whole = floor(1 / step + 0.5)
  return abs(step * whole - 1) < 1e-12 and whole + 0.0 or nil
end

--- The least and the most that so many bytes hold, if it is one of the codecs of integers.
local function range(number, as)
  if number.least then return number.least, number.most end
  return complaint.argument("as", "an integer such as u16", as)
end

return function(as, step, unit, unknown)
  local number = spelling.codec(as)
  local least, most = range(number, as)
  if not math.type(step) or step <= 0 then complaint.argument("step", "a number above 0", step) end
  local divide_by = divisor(step)
  local decode, encode = number.decode, number.encode

  local function value_of(raw)
    if divide_by then return raw / divide_by end
    return raw * step
  end

  local function refuse(value)
    local what = unit and unit ~= "" and " " .. unit or ""
    complaint.refuse("encode", "takes %s to %s%s in steps of %s, not %s",
      value_of(least), value_of(most), what, step, complaint.describe(value))
  end

  --- The raw number that comes nearest.
  local function raw_of(value)
    if not math.type(value) or value ~= value then refuse(value) end
    local steps = floor((divide_by and value * divide_by or value / step) + 0.5)
    if steps < least or steps > most or steps == unknown then refuse(value) end
    return tointeger(steps)
  end

  return {
    name = as, size = number.size, unit = unit, step = step, least = value_of(least), most = value_of(most),
    decode = function(bytes)
      local raw = decode(bytes)
      if raw == unknown then return nil end
      return value_of(raw)
    end,
    encode = function(value)
      if value == nil and unknown then return encode(unknown) end
      return encode(raw_of(value))
    end,
  }
end
