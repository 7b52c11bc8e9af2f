--- A kettle: it tells its temperature, can be switched on, and is not always well.
local sim = require "sim"

local kettle = sim.peripheral { address = "C0:FF:EE:00:00:01", name = "Kettle", rssi = -55, services = { "fff0" } }
local service = kettle:service "fff0"

local temperature = service:characteristic { "fff1", "read", "notify", value = "\x14" }
local is_on = false

service:characteristic {
  "fff2", "write",
  on_write = function(value)
    if #value ~= 1 then return sim.att(0x0d) end   -- invalid attribute value length
    is_on = value == "\1"
    return sim.later(0.3)                          -- the relay takes its time
  end,
}

-- Ten degrees a second.
sim.every(1, function()
  local degrees = temperature.value:byte()
  if not is_on or degrees >= 100 then return end
  temperature.value = string.char(degrees + 10)
  temperature:notify(temperature.value)
end)

-- Its radio is tired: the first connection fails, as a weak one does.
kettle:on("connect", function(count)
  if count == 1 then return sim.fail "le-connection-abort-by-local" end
end)
