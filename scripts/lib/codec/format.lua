--- Codecs of string.pack's formats.

local complaint = require "codec.complaint"

local find, rep, sub = string.find, string.rep, string.sub
local pack, packsize, unpack = string.pack, string.packsize, string.unpack
local count, refuse = complaint.count, complaint.refuse

local zeros = rep("\0", 1024)

--- Whether string.unpack knows the format: zeros suit every one, if there are enough of them.
local function is_known(layout)
  local good, problem = pcall(unpack, layout, zeros)
  return good or find(problem, "data string too short", 1, true)
end

--- The codec of a format, little-endian unless it says otherwise; nil if it is none.
return function(format)
  local layout = "<" .. format
  if format == "" or not is_known(layout) then return nil end
  local fixed, size = pcall(packsize, layout)
  local codec = { name = format, size = fixed and size or nil }

  function codec.decode(bytes)
    local results = table.pack(pcall(unpack, layout, bytes))
    if not results[1] then complaint.length(format, fixed and count(size) or "more", bytes) end
    local next = results[results.n]
    if next ~= #bytes + 1 then complaint.length(format, count(next - 1), bytes) end
    return table.unpack(results, 2, results.n - 1)
  end

  --- A list gives several values.
  function codec.encode(value)
    local values = type(value) == "table" and value or { value, n = 1 }
    local given = values.n or #values
    local good, bytes = pcall(pack, layout, table.unpack(values, 1, given))
    if not good then
      -- Lua says "bad argument #2 to 'pack' (number expected, got nil)"; what counts is in the brackets.
      refuse("encode", "%s: %s", format, sub(bytes, (find(bytes, "(", 1, true) or 0) + 1, -2))
    end
    local taken = select("#", unpack(layout, bytes)) - 1
    if taken ~= given then refuse("encode", "%s takes %d values, not %d", format, taken, given) end
    return bytes
  end

  return codec
end
