--- A heart rate sensor that beats once a second. `radio off` as the world's argument: with the adapter switched off.
local sim = require "sim"

local arguments = table.concat({ ... }, " ")

sim.adapter { name = "hci0", address = "AA:BB:CC:00:00:01", powered = arguments ~= "radio off" }

local pulse = sim.peripheral {
  address = "C8:3F:26:00:00:01", name = "Pulse", rssi = -58, interval = 0.1,
  services = { "180d", "180f" }, manufacturer_data = { [0x0059] = "\1\2\3" },
}

local service = pulse:service "180d"
local measurement = service:characteristic { "2a37", "notify" }
service:characteristic { "2a38", "read", value = "\1" }                -- the chest
service:characteristic {
  "2a39", "write",
  on_write = function(value) return value ~= "\1" and sim.att(0x80) or nil end,
}

local battery = pulse:service "180f":characteristic { "2a19", "read", "notify", value = "\x55" }
pulse:service "180a":characteristic { "2a29", "read", value = "Example Ltd" }

-- Flags 0x10: intervals between beats follow, in 1/1024 s. The pulse goes up and down by the same steps in each run.
local beats = { 72, 73, 75, 76, 75, 73, 72, 70, 69, 70 }
local count = 0
sim.every(1, function()
  local bpm = beats[count % #beats + 1]
  count = count + 1
  measurement:notify(string.pack("<BBI2", 0x10, bpm, 60 * 1024 // bpm))
  if count % 60 == 0 then
    battery.value = string.char(math.max(1, battery.value:byte() - 1))
    battery:notify(battery.value)
  end
end)
