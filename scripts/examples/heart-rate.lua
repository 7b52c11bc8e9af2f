#!/usr/bin/env blescript
-- Finds a heart rate sensor, looks at what it offers, and listens to five beats.
local ble = require "ble"

local adv = ble.find { services = { "heart_rate" }, timeout = 10 }
print(string.format("found      %s %s, %d dBm", adv.address, adv.name, adv.rssi))

local sensor <close> = ble.connect(adv)
for _, service in ipairs(sensor:services()) do
  print(string.format("service    %s %s", service.uuid, service.name))
end

print(string.format("battery    %d %%", sensor:read("battery_level", { as = "u8" })))

for beat in sensor:notifications("heart_rate_measurement", { as = "auto", count = 5, timeout = 10 }) do
  print(string.format("heart      %d beats a minute", beat.bpm))
end

sensor:write("heart_rate_control_point", 1, { as = "u8", response = true })
print("control    energy expended reset, acknowledged")

sensor:disconnect()
print("goodbye    " .. (sensor.connected and "still connected" or "disconnected"))
