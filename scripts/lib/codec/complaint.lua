--- What the codecs' errors say.

local errors = require "ble.error"

local byte, format, sub = string.byte, string.format, string.sub

local complaint = {}

--- Raises an error with this code; the message is a format.
function complaint.refuse(code, message, ...)
  errors.raise { code = code, message = format(message, ...) }
end

--- "1 byte", "2 bytes".
function complaint.count(n)
  return n == 1 and "1 byte" or n .. " bytes"
end

--- A value, short enough for a message.
function complaint.describe(value)
  if type(value) ~= "string" then return tostring(value) end
  return #value > 40 and format("%q…", sub(value, 1, 40)) or format("%q", value)
end

--- ": 01 02", the bytes that came; nothing if none did.
function complaint.dump(bytes)
  if #bytes == 0 then return "" end
  local shown = { byte(bytes, 1, 12) }
  for i, b in ipairs(shown) do shown[i] = format("%02x", b) end
  return ": " .. table.concat(shown, " ") .. (#bytes > 12 and " …" or "")
end

--- Refuses bytes for their number; `wanted` says how many it should have been.
function complaint.length(name, wanted, bytes)
  complaint.refuse("decode", "%s takes %s; %d came%s", name, wanted, #bytes, complaint.dump(bytes))
end

--- An argument is wrong.
function complaint.argument(name, wanted, value)
  complaint.refuse("invalid", "%s: %s expected, not %s", name, wanted, complaint.describe(value))
end

--- The value as a float, if it is a number.
function complaint.number(name, value)
  if not math.type(value) then
    complaint.refuse("encode", "%s takes a number, not %s", name, complaint.describe(value))
  end
  return value + 0.0
end

--- The value, if it is a string.
function complaint.text(name, value)
  if type(value) ~= "string" then
    complaint.refuse("encode", "%s takes a string, not %s", name, complaint.describe(value))
  end
  return value
end

return complaint
