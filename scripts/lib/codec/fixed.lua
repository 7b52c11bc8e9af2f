--- A codec of a fixed number of bytes, given the functions that do it without looking at the length.

local complaint = require "codec.complaint"

return function(name, size, decode, encode)
  local wanted = complaint.count(size)
  return {
    name = name,
    size = size,
    decode = function(bytes)
      if #bytes ~= size then complaint.length(name, wanted, bytes) end
      return decode(bytes)
    end,
    encode = encode,
  }
end
