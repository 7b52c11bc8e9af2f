--- bool, a byte; bytes and utf8, all that there is.

local complaint = require "codec.complaint"
local fixed = require "codec.fixed"

local byte, sub = string.byte, string.sub
local refuse, describe = complaint.refuse, complaint.describe

local bool = fixed("bool", 1, function(bytes)
  local value = byte(bytes)
  if value > 1 then refuse("decode", "bool takes 00 or 01; %02x came", value) end
  return value == 1
end, function(value)
  if type(value) ~= "boolean" then refuse("encode", "bool takes true or false, not %s", describe(value)) end
  return value and "\1" or "\0"
end)

local bytes = { name = "bytes" }

function bytes.decode(data)
  return data
end

function bytes.encode(value)
  return complaint.text("bytes", value)
end

local text = { name = "utf8" }

--- Many devices fill the rest of a field with zeros; they are no text.
function text.decode(data)
  local length = #data
  while length > 0 and byte(data, length) == 0 do length = length - 1 end
  local value = sub(data, 1, length)
  local good, bad = utf8.len(value)
  if not good then refuse("decode", "utf8: byte %d of %d is no UTF-8%s", bad, #data, complaint.dump(data)) end
  return value
end

function text.encode(value)
  if not utf8.len(complaint.text("utf8", value)) then
    refuse("encode", "utf8: the string is no UTF-8%s", complaint.dump(value))
  end
  return value
end

return { bool = bool, bytes = bytes, utf8 = text }
