#!/usr/bin/env blescript
-- What is in the air: a table of all that was heard in so many seconds (5, or the first argument).
local ble = require "ble"

local seconds = tonumber(arg[1] or 5)

--- Companies by their numbers, in hex: the Bluetooth SIG gives them out.
local function companies(adv)
  local numbers = {}
  for company in pairs(adv.manufacturer_data) do numbers[#numbers + 1] = string.format("%04x", company) end
  table.sort(numbers)
  return table.concat(numbers, " ")
end

local function row(...)
  print((string.format("%-17s  %4s  %-12s  %-9s  %s", ...):gsub("%s+$", "")))
end

row("address", "dBm", "name", "company", "services")
for _, adv in ipairs(ble.discover { timeout = seconds }) do
  row(adv.address, adv.rssi or "?", adv.name or "", companies(adv), table.concat(adv.services, " "))
end
