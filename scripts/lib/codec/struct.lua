--- A table whose fields follow each other: codec.struct{ { "flags", "u8" }, { "value", "i16" } }.
-- All but the last must have a fixed length.

local complaint = require "codec.complaint"
local run = require "codec.run"
local spelling = require "codec.spelling"

return function(fields)
  local parts, size = {}, 0
  for i, field in ipairs(fields) do
    local name, as = field[1], field[2]
    local found = spelling.codec(as)
    if not found.size and i < #fields then
      complaint.argument(("field %s"):format(complaint.describe(name)),
        "a fixed length (only the last may do without)", as)
    end
    parts[i] = { name = name, codec = found, first = size + 1 }
    size = size and found.size and size + found.size
  end
  if #parts == 0 then complaint.argument("fields", "a list of { name, as }", fields) end

  local struct = { name = "struct", size = size }

  function struct.decode(bytes)
    local least = size or parts[#parts].first - 1
    if #bytes < least or (size and #bytes > size) then
      complaint.length("struct", (size and "" or "at least ") .. complaint.count(least), bytes)
    end
    local values = {}
    for _, part in ipairs(parts) do
      local last = part.codec.size and part.first + part.codec.size - 1 or #bytes
      local piece = string.sub(bytes, part.first, last)
      values[part.name] = run.one(run.inside(part.name, "decode", pcall(run.decode, part.codec, piece)))
    end
    return values
  end

  function struct.encode(values)
    if type(values) ~= "table" then
      complaint.refuse("encode", "struct takes a table, not %s", complaint.describe(values))
    end
    local pieces = {}
    for i, part in ipairs(parts) do
      pieces[i] = run.inside(part.name, "encode", pcall(run.encode, part.codec, values[part.name]))
    end
    return table.concat(pieces)
  end

  return struct
end
