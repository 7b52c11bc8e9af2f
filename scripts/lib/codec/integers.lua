--- Integers: u8 i8 u16 i16 u24 i24 u32 i32 u48 u64 i64, and each with "be" for big-endian.

local complaint = require "codec.complaint"
local fixed = require "codec.fixed"

local pack, unpack = string.pack, string.unpack

--- The order of the bytes by the ending of the name.
local orders = { [""] = "<", be = ">" }

local function integer(name, size, letter, order)
  local layout = order .. letter .. size
  local least, most = 0, math.maxinteger -- a Lua integer holds no more, so half of u64
  if letter == "i" then
    least, most = -(1 << 8 * size - 1), (1 << 8 * size - 1) - 1
  elseif size < 8 then
    most = (1 << 8 * size) - 1
  end
  local codec = fixed(name, size, function(bytes)
    local value = unpack(layout, bytes)
    if value < least then
      complaint.refuse("decode", '%s: 0x%x is more than Lua\'s integers hold; "hex" can take it', name, value)
    end
    return value
  end, function(value)
    local whole = math.type(value) and math.tointeger(value)
    if not whole or whole < least or whole > most then
      local given = complaint.describe(value)
      complaint.refuse("encode", "%s takes a whole number from %d to %d, not %s", name, least, most, given)
    end
    return pack(layout, whole)
  end)
  codec.least, codec.most = least, most
  return codec
end

local integers = {}

for ending, order in pairs(orders) do
  for _, size in ipairs { 1, 2, 3, 4, 6, 8 } do
    local unsigned, signed = "u" .. 8 * size .. ending, "i" .. 8 * size .. ending
    integers[unsigned] = integer(unsigned, size, "I", order)
    if size ~= 6 then integers[signed] = integer(signed, size, "i", order) end
  end
end

return integers
