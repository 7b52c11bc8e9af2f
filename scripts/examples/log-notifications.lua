#!/usr/bin/env blescript
-- Logs a characteristic's notifications as CSV: log-notifications.lua ADDRESS CHARACTERISTIC COUNT >log.csv
local ble = require "ble"
local task = require "task"

local address, ref, count = arg[1], arg[2], tonumber(arg[3])
if not (address and ref and count) then
  io.stderr:write("usage: log-notifications.lua ADDRESS CHARACTERISTIC COUNT\n")
  os.exit(2)
end

-- Only the table goes to standard output; all else would spoil it.
local function say(...) io.stderr:write(string.format(...), "\n") end

local device <close> = ble.connect(address)
say("connected to %s", device.name or device.address)

print("seconds,bytes")
local start
for bytes in device:notifications(ref, { as = "hex", count = count, timeout = 60 }) do
  start = start or task.now() -- times count from the first
  print(string.format("%.3f,%s", task.now() - start, bytes))
end
say("%d values", count)
