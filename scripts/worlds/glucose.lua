--- A glucose meter with stored records. Orders: `meter mute` and the like, and `records N` for how many it has.
local sim = require "sim"

local meter = sim.peripheral {
  id = "meter", address = "C8:3F:26:00:01:01", rssi = -55, name = "Meter", services = { "1808" },
}

local service = meter:service "1808"
local measurement = service:characteristic { "2a18", "notify" }
local context = service:characteristic { "2a34", "notify" }
service:characteristic { "2a51", "read", value = "\xff\x03" }
local control

local stored = 3    -- records 1 … stored
local pause = 0.05  -- between records, s
local quiet = false -- never ends its answer
local sending = 0   -- grows with each request; what an older one would send is dropped

--- 0.0012 kg/L more or less, capillary plasma from a finger; the even ones have a context.
local function send(number)
  local has_context = number % 2 == 0
  measurement:notify(string.pack("<BI2I2BBBBBI2B", has_context and 0x12 or 0x02, number, 2026, 11, 30, 13, 42, 5,
    0xb000 | 0x70 + number, 0x12))
  if has_context then context:notify(string.pack("<BI2B", 0x02, number, 1)) end
end

local function respond(request, status)
  control:indicate(string.char(6, 0, request, status))
end

--- The numbers that a request asks for, from its operator and operand.
local function wanted(request)
  local operator = request:byte(2)
  if operator == 1 then return 1, stored end
  if operator == 5 then return 1, math.min(stored, 1) end
  if operator == 6 then return stored, stored end
  local first, second = string.unpack("<I2", request, 4), #request > 5 and string.unpack("<I2", request, 6)
  if operator == 2 then return 1, math.min(first, stored) end
  return first, math.min(operator == 4 and second or stored, stored)
end

local function report(first, last)
  sending = sending + 1
  local mine = sending
  for number = first, last do
    sim.after((number - first) * pause, function() if mine == sending then send(number) end end)
  end
  if quiet then return end
  sim.after((last - first) * pause, function() if mine == sending then respond(1, 1) end end)
end

local operations = {
  [1] = report,
  [2] = function(first, last)
    if last == stored then stored = first - 1 end
    respond(2, 1)
  end,
  [4] = function(first, last) control:indicate(string.pack("<BBI2", 5, 0, last - first + 1)) end,
}

local function serve(request)
  local opcode = request:byte()
  if opcode == 3 then
    sending = sending + 1
    return respond(3, 1)
  end
  if not operations[opcode] then return respond(opcode, 2) end
  local first, last = wanted(request)
  if first < 1 or first > last then return respond(opcode, 6) end
  return operations[opcode](first, last)
end

control = service:characteristic {
  "2a52", "write", "indicate", on_write = function(request) sim.after(0.01, function() serve(request) end) end,
}

sim.order(function(line)
  local name, number = line:match "^(%a+) ([%d.]+)$"
  if name == "records" then stored = tonumber(number) // 1 | 0
  elseif name == "pause" then pause = tonumber(number)
  elseif line == "quiet" then quiet = true
  else return false end
  return true
end)
