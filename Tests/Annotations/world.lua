--- One of each kind of thing. It also checks the annotations of the language in which it is written.
local declared = require "declared"
local present = require "present"
local sim = require "sim"

local adapter = sim.adapter { name = "hci0" }
local peripheral = sim.peripheral {
  address = "C8:3F:26:00:00:01", name = "All", services = { "180f" }, manufacturer_data = { [0x0059] = "\1" },
  service_data = { ["180f"] = "\x55" }, tx_power = -4, appearance = 0x0341,
}
local service = peripheral:service "180f"
local level = service:characteristic {
  "2a19", "read", "notify", "write", value = "\x55", on_write = function() return sim.att(0x80) end,
}
local descriptor = level:descriptor { "2901", value = "Level" }
local timer = sim.after(3600, function() end)

local classes = declared "sim.lua"

--- Methods, and what the object keeps itself for its author.
local function check(object, what, fields)
  -- The metatable of each class holds its methods.
  local there = present.keys(getmetatable(object))
  for name in fields:gmatch "%S+" do
    if object[name] == nil then error(what .. "." .. name .. " is not there") end
    there[name] = true
  end
  local differences = present.differences(there, classes[what], what)
  if differences ~= "" then error(differences) end
end

-- `descriptor` is the same class of the host for both; its annotation leaves the rest out.
check(adapter, "sim.adapter", "name")
check(peripheral, "sim.peripheral", "address connected")
check(service, "sim.service", "uuid handle")
check(level, "sim.characteristic", "uuid handle value")
check(timer, "sim.timer", "")
assert(descriptor.value == "Level")

local there = present.keys(sim)
there.denied = true -- computed
local differences = present.differences(there, classes["sim"], "sim")
  .. present.differences(present.keys(sim.bluetoothd), classes["sim.bluetoothd"], "sim.bluetoothd")
if differences ~= "" then error(differences) end
