--- Battery Service, 180f.

local codec = require "codec"

local record, scaled = codec.record, codec.scaled

local supply = { [0] = "no", "yes", "unknown" }

local power_state = codec.bits("u16", {
  "battery_present",
  { "wired_external_power_connected", 2, supply },
  { "wireless_external_power_connected", 2, supply },
  { "battery_charge_state", 2, { [0] = "unknown", "charging", "discharging", "idle" } },
  { "battery_charge_level", 2, { [0] = "unknown", "good", "low", "critical" } },
  { "charging_type", 3, { [0] = "unknown", "constant_current", "constant_voltage", "trickle", "float" } },
  "charging_fault_battery", "charging_fault_external_power", "charging_fault_other",
})

local additional = codec.bits("u8", {
  { "service_required", 2, { [0] = "no", "yes", "unknown" } }, "battery_fault", reserved = "additional_reserved",
})

local minutes = scaled("u24", 1, "min", 0xffffff) -- 0xfffffe: longer than can be told

return {
  ["2a19"] = scaled("u8", 1, "%"), -- battery level

  -- Battery level status
  ["2bed"] = record("battery level status", {
    { flags = "u8" },
    { power_state },
    { "identifier", "u16", when = 0 },
    { "battery_level", scaled("u8", 1, "%"), when = 1 },
    { additional, when = 2 },
  }),

  ["2be9"] = codec.bits("u8", { "critical_power_state", "immediate_service_required" }),

  ["2bea"] = record("battery health status", {
    { flags = "u8" },
    { "battery_health_summary", scaled("u8", 1, "%"), when = 0 },
    { "cycle_count", "u16", when = 1 },
    { "current_temperature", scaled("i8", 1, "°C"), when = 2 },
    { "deep_discharge_count", "u16", when = 3 },
  }),

  ["2bee"] = record("battery time status", {
    { flags = "u8" },
    { "time_until_discharged", minutes },
    { "time_until_discharged_on_standby", minutes, when = 0 },
    { "time_until_recharged", minutes, when = 1 },
  }),
}
