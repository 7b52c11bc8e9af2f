--- The same thing again and again, to the end of the bytes: codec.list("u16").

local complaint = require "codec.complaint"
local run = require "codec.run"
local spelling = require "codec.spelling"

return function(as)
  local item = spelling.codec(as)
  local size = item.size or complaint.argument("as", "a codec of a fixed length", as)
  return {
    name = "list",
    item = item,
    decode = function(bytes)
      if #bytes % size ~= 0 then
        complaint.length("a list", ("a multiple of %s"):format(complaint.count(size)), bytes)
      end
      local values = {}
      for i = 1, #bytes // size do
        local piece = string.sub(bytes, (i - 1) * size + 1, i * size)
        values[i] = run.one(run.inside("item " .. i, "decode", pcall(run.decode, item, piece)))
      end
      return values
    end,
    encode = function(values)
      if type(values) ~= "table" then
        complaint.refuse("encode", "a list takes a table, not %s", complaint.describe(values))
      end
      local pieces = {}
      for i, value in ipairs(values) do
        pieces[i] = run.inside("item " .. i, "encode", pcall(run.encode, item, value))
      end
      return table.concat(pieces)
    end,
  }
end
