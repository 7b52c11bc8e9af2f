#!/usr/bin/env blescript
-- Two devices at once: connects both, and shows their values as they come, in one stream.
-- two-devices.lua ADDRESS CHARACTERISTIC ADDRESS CHARACTERISTIC
local ble = require "ble"
local task = require "task"

if #arg ~= 4 then
  io.stderr:write("usage: two-devices.lua ADDRESS CHARACTERISTIC ADDRESS CHARACTERISTIC\n")
  os.exit(2)
end

local values = task.channel(16)

--- Passes on three values of one device. `<close>` takes the link down however that ends.
local function listen(address, ref)
  local device <close> = ble.connect(address)
  for bytes in device:notifications(ref, { as = "hex", count = 3, timeout = 30 }) do
    values:send { from = device.name or address, bytes = bytes }
  end
end

-- One task for each device; when both have ended there are no more values.
task.spawn(function()
  local _ <close> = setmetatable({}, { __close = function() values:close() end })
  task.all {
    function() listen(arg[1], arg[2]) end,
    function() listen(arg[3], arg[4]) end,
  }
end)

for value in values do print(string.format("%-8s %s", value.from, value.bytes)) end
