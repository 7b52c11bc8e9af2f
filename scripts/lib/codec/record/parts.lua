--- The fields of a record, made ready: their codecs, and the flags that they ask for as masks.

local complaint = require "codec.complaint"
local spelling = require "codec.spelling"

--- The mask of a bit or a list of bits; 0 for nil.
local function mask(bits)
  if bits == nil then return 0 end
  if math.type(bits) then return 1 << bits end
  local sum = 0
  for _, bit in ipairs(bits) do sum = sum | 1 << bit end
  return sum
end

local function condition(part, field)
  part.need, part.forbid = mask(field.when), mask(field.unless)
  part.asks = part.need | part.forbid
  part.optional = field.optional
  return part
end

--- A field that is some of the flags.
local function flag_part(field)
  local numbers
  if field.names then
    numbers = {}
    for n, name in pairs(field.names) do numbers[name] = n end
  end
  local width = field.width or 1
  return {
    name = field[1], shift = field.bit, mask = (1 << width) - 1, width = width, names = field.names, numbers = numbers,
    number = width > 1 or field.names ~= nil,
  }
end

local function part_of(field)
  if field.flags then return condition({ is_flags = true, codec = spelling.codec(field.flags) }, field) end
  if field.bit then return condition(flag_part(field), field) end
  if type(field[1]) == "string" then
    return condition({ name = field[1], codec = spelling.codec(field[2]) }, field)
  end
  local merged = spelling.codec(field[1])
  if not merged.known then complaint.argument("a field without a name", "a record or bits", merged.name) end
  return condition({ merged = merged.known, codec = merged }, field)
end

--- What an error calls it.
local function title(part)
  if part.is_flags then return "flags" end
  return part.name or part.codec.name
end

--- Parts of one name are alternatives; each knows whether another one follows.
local function link_alternatives(parts)
  local last = {}
  for _, part in ipairs(parts) do
    if part.codec and part.name then
      local earlier = last[part.name]
      if earlier then earlier.next, part.is_alternative, earlier.is_alternative = part, true, true end
      last[part.name] = part
    end
  end
end

--- Whether the flags allow only one of the two.
local function exclude(a, b)
  return a.need & b.forbid | a.forbid & b.need ~= 0
end

--- The layout: parts in order, the names known, and the size if it is fixed.
return function(name, fields)
  local layout = { name = name, parts = {}, known = {}, size = 0 }
  local open -- the part without a length, after which none can come
  for i, field in ipairs(fields) do
    local part = part_of(field)
    part.title = title(part)
    layout.parts[i] = part
    if part.name then layout.known[part.name] = true end
    for inner in pairs(part.merged or {}) do layout.known[inner] = true end
    if part.codec then
      if open and not exclude(open, part) then
        complaint.argument("field " .. open.title, "a fixed length (only the last may do without)", name)
      end
      if not part.codec.size then open = part end
      local fixed = part.codec.size and part.asks == 0 and not part.optional
      layout.size = layout.size and fixed and layout.size + part.codec.size or nil
    end
  end
  link_alternatives(layout.parts)
  return layout
end
