-- A heart rate sensor, and a bluetoothd that fails on order: `fault NAME [TIMES]`.
local sim = require "sim"

sim.adapter { name = "hci0", address = "AA:BB:CC:00:00:01" }

local pulse = sim.peripheral { id = "pulse", address = "C8:3F:26:00:00:01", name = "Pulse", services = { "180d" } }
local service = pulse:service "180d"
service:characteristic { "2a37", "notify" }
service:characteristic { "2a38", "read", value = "\1" }
service:characteristic { "2a39", "write" }

local function hang_up_soon() sim.after(0.005, function() pulse:disconnect() end) end

local faults = {
  ["connect-refused"] = { on = "Connect", error = "Failed", message = "le-connection-abort-by-local" },
  ["connect-silent"] = { on = "Connect", silent = true },
  ["scan-busy"] = { on = "StartDiscovery", error = "InProgress", message = "Operation already in progress" },
  ["scan-denied"] = { on = "StartDiscovery", error = "NotReady", message = "Resource Not Ready" },
  ["read-busy"] = { on = "ReadValue", error = "InProgress", message = "In Progress" },
  ["read-slow"] = { on = "ReadValue", delay = 3 },
  ["read-silent"] = { on = "ReadValue", silent = true },
  ["read-hangs-up"] = { on = "ReadValue", silent = true, run = hang_up_soon },
  ["write-hangs-up"] = {
    on = "WriteValue", error = "Failed", message = "Operation failed with ATT error: 0x0e", run = hang_up_soon,
  },
  ["write-fails"] = { on = "WriteValue", error = "Failed", message = "Operation failed with ATT error: 0x0e" },
  ["notify-silent"] = { on = "StartNotify", silent = true },
  ["notify-hangs-up"] = { on = "StartNotify", silent = true, run = hang_up_soon },
  ["notify-unpaired"] = { on = "StartNotify", error = "NotPermitted", message = "Not paired" },
  ["power-blocked"] = { on = "Set Powered", error = "Blocked", message = "Blocked through rfkill" },
  ["power-off-in-read"] = { on = "ReadValue", silent = true, power_off = true },
}

-- `connect-drops N`: the link goes as soon as it is there, before the services are known.
local drops = 0
pulse:on("connect", function()
  if drops > 0 then
    drops = drops - 1
    sim.after(0.001, function() pulse:disconnect() end)
  end
end)

sim.order(function(line)
  local name, times = line:match "^fault (%S+) ?(%d*)$"
  times = tonumber(times)
  if name == "connect-drops" then
    drops = times or 1
  elseif name == "none" then
    sim.no_faults()
  elseif faults[name] then
    local fault = { times = times }
    for key, value in pairs(faults[name]) do fault[key] = value end
    sim.fault(fault)
  else
    return false
  end
  return true
end)
