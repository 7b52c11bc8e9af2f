--- The table of a record to bytes.
--
-- First the flags: those that are values, then those that say which fields are there. Then the fields, in order.

local complaint = require "codec.complaint"
local run = require "codec.run"

--- Flags on the way: `known` are the bits that are settled.
local Flags = {}
Flags.__index = Flags

--- Settles bits, unless one is settled the other way; returns whether they are as wanted now.
function Flags:settle(mask, value)
  local both = mask & self.known
  if self.bits & both ~= value & both then return false end
  self.bits, self.known = self.bits | value & mask, self.known | mask
  return true
end

--- Whether the part's conditions hold, or still can.
function Flags:allow(part)
  local both = part.asks & self.known
  return self.bits & both == part.need & both
end

function Flags:hold(part)
  return self.bits & part.asks == part.need
end

local function refuse(layout, message, ...)
  complaint.refuse("encode", "%s: " .. message, layout.name, ...)
end

--- The part's own value: for a part without a name a table of what is its own, or nil if nothing is.
local function value_for(part, values)
  if part.name then return values[part.name] end
  local own, any = {}, false
  for name in pairs(part.merged) do
    own[name] = values[name]
    any = any or values[name] ~= nil
  end
  return any and own or nil
end

local function number_of(layout, part, value)
  if not part.number then
    if type(value) == "boolean" then return value and 1 or 0 end
    return refuse(layout, "%s takes true or false, not %s", part.name, complaint.describe(value))
  end
  local n = math.tointeger(part.numbers and part.numbers[value] or value)
  if n and n >= 0 and n <= part.mask then return n end
  return refuse(layout, "%s takes %s, not %s", part.name,
    part.names and "one of its names" or "0 to " .. part.mask, complaint.describe(value))
end

--- Settles the flags that are values.
local function settle_values(layout, flags, values)
  for _, part in ipairs(layout.parts) do
    local value = part.shift and values[part.name]
    if value ~= nil and part.shift then
      local bits = number_of(layout, part, value) << part.shift
      if not (flags:settle(part.asks, part.need) and flags:settle(part.mask << part.shift, bits)) then
        refuse(layout, "%s can't be %s along with the other fields", part.name, complaint.describe(value))
      end
    end
  end
  for _, part in ipairs(layout.parts) do -- what always has a value has 0 if none is given
    local bits = part.shift and part.asks == 0 and part.mask << part.shift or 0
    flags:settle(bits & ~flags.known, 0)
  end
end

--- Settles the flags that say which fields are there.
local function settle_conditions(layout, flags, values)
  local waiting = 0 -- bits that have to be set if their field is missing
  for _, part in ipairs(layout.parts) do
    if part.codec and part.asks ~= 0 and flags:allow(part) then
      local value = value_for(part, values)
      local last = not (part.is_alternative and part.next)
      if value ~= nil and (last or pcall(run.encode, part.codec, value)) then
        flags:settle(part.asks, part.need)
      elseif value == nil and part.need == 0 and not part.is_alternative then
        waiting = waiting | part.forbid
      end
    end
  end
  flags:settle(waiting & ~flags.known, waiting)
end

--- Nothing that was given may be left out.
local function check_all_written(layout, values, written)
  for name, value in pairs(values) do
    if not layout.known[name] then refuse(layout, "there is no field %s", complaint.describe(name)) end
    if not written[name] then
      refuse(layout, "%s = %s has no place along with the other fields", name, complaint.describe(value))
    end
  end
end

local function encoded(layout, part, value)
  if part.name then
    return run.inside(layout.name .. ": " .. part.title, "encode", pcall(run.encode, part.codec, value))
  end
  return run.inside(layout.name, "encode", pcall(run.encode, part.codec, value or {}))
end

--- The bytes of each part that is there; those of the flags are left for later.
local function pieces_of(layout, flags, values)
  local pieces, written, flags_at, ended = {}, {}, nil, false
  for _, part in ipairs(layout.parts) do
    if part.is_flags then
      pieces[#pieces + 1], flags_at = "", #pieces + 1
    elseif part.shift then
      written[part.name] = true
    elseif flags:hold(part) then
      local value = value_for(part, values)
      ended = ended or (part.optional and value == nil)
      if not ended then
        pieces[#pieces + 1] = encoded(layout, part, value)
        if part.name then written[part.name] = true end
        for name in pairs(part.merged or {}) do written[name] = true end
      end
    end
  end
  return pieces, written, flags_at
end

return function(layout)
  local flags_codec
  for _, part in ipairs(layout.parts) do
    if part.is_flags then flags_codec = part.codec end
  end
  return function(values)
    if type(values) ~= "table" then refuse(layout, "takes a table, not %s", complaint.describe(values)) end
    local flags = setmetatable({ bits = 0, known = 0 }, Flags)
    settle_values(layout, flags, values)
    settle_conditions(layout, flags, values)
    local pieces, written, flags_at = pieces_of(layout, flags, values)
    check_all_written(layout, values, written)
    if flags_at then pieces[flags_at] = run.encode(flags_codec, flags.bits) end
    return table.concat(pieces)
  end
end
