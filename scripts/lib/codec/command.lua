--- What is written to control points: an operation and what it takes.
--
--   codec.command("control point", {
--     [0x00] = { "request_control" },
--     [0x02] = { "set_target_speed", { "speed", codec.scaled("u16", 0.01, "km/h") } },
--   })
--
-- In Lua { opcode = "set_target_speed", speed = 8.5 }. An operation that is not in the list is
-- { opcode = 0x77, parameter = bytes }.
-- A field that is "opcode" is the name of another operation, as in a response: { "request", "opcode" }.

local complaint = require "codec.complaint"
local enum = require "codec.enum"
local record = require "codec.record"

local pack = string.pack

--- What an operation takes, as fields of a record.
local function fields_of(entry, opcode)
  local fields = {}
  for i = 2, #entry do
    local field = {}
    for key, value in pairs(entry[i]) do field[key] = value end
    if field[2] == "opcode" then field[2] = opcode end
    fields[i - 1] = field
  end
  return fields
end

--- The record of each operation, by number and by name.
local function operations_of(name, list, names)
  local by_number, by_name = {}, {}
  for number, entry in pairs(list) do names[number] = entry[1] end
  local opcode = enum("u8", names)
  for number, entry in pairs(list) do
    local layout = record(name .. ": " .. entry[1], fields_of(entry, opcode))
    local operation = { number = number, name = entry[1], layout = layout }
    by_number[number], by_name[entry[1]] = operation, operation
  end
  return by_number, by_name
end

return function(name, list)
  local names = {}
  local by_number, by_name = operations_of(name, list, names)
  local other = record(name, { { "parameter", "bytes", optional = true } })

  local command = { name = name, names = names }

  function command.decode(bytes)
    if #bytes == 0 then complaint.length(name, "at least 1 byte", bytes) end
    local number = bytes:byte()
    local operation = by_number[number]
    local values = (operation and operation.layout or other).decode(bytes:sub(2))
    values.opcode = operation and operation.name or number
    return values
  end

  function command.encode(values)
    if type(values) ~= "table" then
      complaint.refuse("encode", "%s takes a table, not %s", name, complaint.describe(values))
    end
    local operation = by_name[values.opcode] or by_number[values.opcode]
    local number = operation and operation.number or math.tointeger(values.opcode)
    if not number or number < 0 or number > 255 then
      complaint.refuse("encode", "%s: opcode takes one of its names or 0 to 255, not %s", name,
        complaint.describe(values.opcode))
    end
    local rest = {}
    for key, value in pairs(values) do
      if key ~= "opcode" then rest[key] = value end
    end
    return pack("B", number) .. (operation and operation.layout or other).encode(rest)
  end

  return command
end
