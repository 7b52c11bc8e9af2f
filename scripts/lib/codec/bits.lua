--- A number whose bits have names: codec.bits("u8", { "moving", "charging", 2, { "level", 4 } }).
--
-- From bit 0 on: a name is one bit, true or false; { name, width } a number of so many bits, { name, width, names }
-- one with names for numbers; a number skips so many bits. What is in bits without a name is `reserved`, if not 0;
-- { …, reserved = "spare" } calls it otherwise.

local complaint = require "codec.complaint"
local run = require "codec.run"
local spelling = require "codec.spelling"

local function part_of(entry, shift)
  if type(entry) == "string" then return { name = entry, shift = shift, width = 1, mask = 1 } end
  local numbers
  if entry[3] then
    numbers = {}
    for n, name in pairs(entry[3]) do numbers[name] = n end
  end
  return {
    name = entry[1], shift = shift, width = entry[2], mask = (1 << entry[2]) - 1, names = entry[3], numbers = numbers,
    number = true,
  }
end

local function value_in(part, raw)
  local n = raw >> part.shift & part.mask
  if not part.number then return n == 1 end
  return part.names and part.names[n] or n
end

--- The bits of a value, at their place.
local function bits_of(part, value)
  if value == nil then return 0 end
  if not part.number then
    if type(value) ~= "boolean" then
      complaint.refuse("encode", "%s takes true or false, not %s", part.name, complaint.describe(value))
    end
    return value and 1 << part.shift or 0
  end
  local n = math.tointeger(part.numbers and part.numbers[value] or value)
  if not n or n < 0 or n > part.mask then
    complaint.refuse("encode", "%s takes 0 to %d%s, not %s", part.name, part.mask, part.names and " or a name" or "",
      complaint.describe(value))
  end
  return n << part.shift
end

return function(as, entries)
  local number = spelling.codec(as)
  local reserved = entries.reserved or "reserved"
  local parts, known, spare = {}, { [reserved] = true }, -1
  local shift = 0
  for _, entry in ipairs(entries) do
    if math.type(entry) then
      shift = shift + entry
    else
      local part = part_of(entry, shift)
      parts[#parts + 1], known[part.name] = part, true
      spare = spare & ~(part.mask << shift)
      shift = shift + part.width
    end
  end

  return {
    name = "bits", size = number.size, parts = parts, known = known, raw = number,
    decode = function(bytes)
      local raw, values = run.decode(number, bytes), {}
      for _, part in ipairs(parts) do values[part.name] = value_in(part, raw) end
      if raw & spare ~= 0 then values[reserved] = raw & spare end
      return values
    end,
    encode = function(values)
      if type(values) ~= "table" then
        complaint.refuse("encode", "takes a table of flags, not %s", complaint.describe(values))
      end
      for name in pairs(values) do
        if not known[name] then complaint.refuse("encode", "there is no flag %s", complaint.describe(name)) end
      end
      local raw = math.tointeger(values[reserved] or 0)
      if not raw or raw & ~spare ~= 0 then
        complaint.refuse("encode", "%s takes bits that have no name, not %s", reserved,
          complaint.describe(values[reserved]))
      end
      for _, part in ipairs(parts) do raw = raw | bits_of(part, values[part.name]) end
      return run.encode(number, raw)
    end,
  }
end
