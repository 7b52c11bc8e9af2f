--- Names for numbers: codec.enum("u8", { [0] = "off", "on" }). A number without a name stays a number.

local complaint = require "codec.complaint"
local run = require "codec.run"
local spelling = require "codec.spelling"

return function(as, by_number)
  local number = spelling.codec(as)
  local by_name = {}
  for n, name in pairs(by_number) do by_name[name] = n end
  return {
    name = "enum",
    size = number.size,
    names = by_number,
    decode = function(bytes)
      local n = run.decode(number, bytes)
      return by_number[n] or n
    end,
    encode = function(value)
      if type(value) == "string" and not by_name[value] then
        complaint.refuse("encode", "%s is none of the names", complaint.describe(value))
      end
      return run.encode(number, by_name[value] or value)
    end,
  }
end
