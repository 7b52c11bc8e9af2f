--- hex: bytes as text, two digits each.

local complaint = require "codec.complaint"

local byte, char, format, rep, sub = string.byte, string.char, string.format, string.rep, string.sub
local concat = table.concat

local hex = { name = "hex" }

local digits = {} -- in either case, to lower case
for n = 0, 15 do digits[format("%x", n)], digits[format("%X", n)] = format("%x", n), format("%x", n) end

local between = { [" "] = true, [":"] = true, ["-"] = true, ["\n"] = true, ["\t"] = true }

--- The digits of `text` in lower case without what stands between them, or nil if there is more than that.
function hex.digits(text)
  local found = {}
  for i = 1, #text do
    local letter = sub(text, i, i)
    if digits[letter] then
      found[#found + 1] = digits[letter]
    elseif not between[letter] then
      return nil
    end
  end
  return concat(found)
end

--- In pieces, as a call has only so many results.
function hex.decode(bytes)
  local parts = {}
  for i = 1, #bytes, 64 do
    local piece = sub(bytes, i, i + 63)
    parts[#parts + 1] = format(rep("%02x", #piece), byte(piece, 1, #piece))
  end
  return concat(parts)
end

function hex.encode(value)
  local clean = hex.digits(complaint.text("hex", value))
  if not clean or #clean % 2 == 1 then
    complaint.refuse("encode", "hex takes pairs of hexadecimal digits, not %s", complaint.describe(value))
  end
  local bytes = {}
  for i = 1, #clean, 2 do bytes[#bytes + 1] = char(tonumber(sub(clean, i, i + 1), 16)) end
  return concat(bytes)
end

return hex
