#!/usr/bin/env blescript
-- A device's values, day and night: whatever happens to the link, the adapter or bluetoothd, it connects again.
-- keep.lua ADDRESS CHARACTERISTIC [COUNT]
local ble = require "ble"

local address, ref, count = arg[1], arg[2], tonumber(arg[3] or math.huge)
if not (address and ref and count) then
  io.stderr:write("usage: keep.lua ADDRESS CHARACTERISTIC [COUNT]\n")
  os.exit(2)
end

-- Only values go to standard output.
local function say(...) io.stderr:write(string.format(...), "\n") end

ble.keep(address, {
  on_retry = function(err, pause) say("%s; again in %.1f s", err, pause) end,
}, function(device)
  say("connected to %s", device.name or device.address)
  -- A device that says nothing for a minute gets a new link.
  for bytes in device:notifications(ref, { as = "hex", timeout = 60 }) do
    print(bytes)
    count = count - 1
    if count == 0 then return end
  end
end)
