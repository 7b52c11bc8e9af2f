--- Bytes to the table of a record.

local complaint = require "codec.complaint"
local run = require "codec.run"

local sub = string.sub

local function cut_off(layout, part, first, last, bytes)
  local wanted = first == last and "byte " .. first or ("bytes %d to %d"):format(first, last)
  complaint.refuse("decode", "%s: %s takes %s; %d came%s", layout.name, part.title, wanted, #bytes,
    complaint.dump(bytes))
end

local function too_many(layout, last, stop, bytes)
  if not last then complaint.length(layout.name, "no bytes", bytes) end
  complaint.refuse("decode", "%s ends after %s (%s); %d came%s", layout.name, complaint.count(stop),
    last.title, #bytes, complaint.dump(bytes))
end

local function flag_value(part, flags)
  local n = flags >> part.shift & part.mask
  if not part.number then return n == 1 end
  return part.names and part.names[n] or n
end

--- The value at `at` and where the next one starts.
local function take(layout, part, bytes, at)
  local size = part.codec.size
  local last = size and at + size - 1 or #bytes
  if last > #bytes then cut_off(layout, part, at, last, bytes) end
  if part.is_flags or part.name then
    return run.one(run.inside(layout.name .. ": " .. part.title, "decode",
      pcall(run.decode, part.codec, sub(bytes, at, last)))), last + 1
  end
  return run.decode(part.codec, sub(bytes, at, last)), last + 1
end

--- Puts a part's value where it belongs; returns the flags.
local function put(part, value, values, flags)
  if part.is_flags then return value end
  if part.name then
    values[part.name] = value
  else
    for key, inner in pairs(value) do values[key] = inner end
  end
  return flags
end

return function(layout)
  local parts = layout.parts
  return function(bytes)
    local values, flags, at, last = {}, 0, 1, nil
    for i = 1, #parts do
      local part = parts[i]
      local there = flags & part.asks == part.need and not (part.optional and at > #bytes)
      if there and part.shift then
        values[part.name] = flag_value(part, flags)
      elseif there then
        local value
        value, at = take(layout, part, bytes, at)
        flags, last = put(part, value, values, flags), part
      end
    end
    if at <= #bytes then too_many(layout, last, at - 1, bytes) end
    return values
  end
end
