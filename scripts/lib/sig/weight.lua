--- Weight Scale Service, 181d, and Body Composition Service, 181b.

local codec = require "codec"
local date_time = require "sig.date_time"

local scaled = codec.scaled

local user = scaled("u8", 1, nil, 255)
local kg, lb = scaled("u16", 0.005, "kg"), scaled("u16", 0.01, "lb")
local metres, inches = scaled("u16", 0.001, "m"), scaled("u16", 0.1, "in")
local percent = scaled("u16", 0.1, "%")

-- 65535 stands for a measurement that failed.
local weighed_kg, weighed_lb = scaled("u16", 0.005, "kg", 0xffff), scaled("u16", 0.01, "lb", 0xffff)
local body_fat = scaled("u16", 0.1, "%", 0xffff)

local weight_units, height_units = { [0] = "kg", "lb" }, { [0] = "m", "in" }

-- Of features: the step of what is measured.
local mass_steps = {
  [0] = "unspecified", "0.5 kg or 1 lb", "0.2 kg or 0.5 lb", "0.1 kg or 0.2 lb", "0.05 kg or 0.1 lb",
  "0.02 kg or 0.05 lb", "0.01 kg or 0.02 lb", "0.005 kg or 0.01 lb",
}
local height_steps = { [0] = "unspecified", "0.01 m or 1 in", "0.005 m or 0.5 in", "0.001 m or 0.1 in" }

return {
  ["2a9d"] = codec.record("weight measurement", {
    { flags = "u8" },
    { "weight_unit", bit = 0, names = weight_units },
    { "weight", weighed_kg, unless = 0 },
    { "weight", weighed_lb, when = 0 },
    { "timestamp", date_time, when = 1 },
    { "user_id", user, when = 2 },
    { "bmi", scaled("u16", 0.1, "kg/m²"), when = 3 },
    { "height_unit", bit = 0, names = height_units, when = 3 },
    { "height", metres, when = 3, unless = 0 },
    { "height", inches, when = { 0, 3 } },
  }),

  -- Weight scale feature
  ["2a9e"] = codec.bits("u32", {
    "timestamp", "multiple_users", "bmi",
    { "mass_measurement_resolution", 4, mass_steps }, { "height_measurement_resolution", 3, height_steps },
  }),

  ["2a9c"] = codec.record("body composition measurement", {
    { flags = "u16" },
    { "weight_unit", bit = 0, names = weight_units },
    { "body_fat_percentage", body_fat },
    { "timestamp", date_time, when = 1 },
    { "user_id", user, when = 2 },
    { "basal_metabolism", scaled("u16", 1, "kJ"), when = 3 },
    { "muscle_percentage", percent, when = 4 },
    { "muscle_mass", kg, when = 5, unless = 0 }, { "muscle_mass", lb, when = { 0, 5 } },
    { "fat_free_mass", kg, when = 6, unless = 0 }, { "fat_free_mass", lb, when = { 0, 6 } },
    { "soft_lean_mass", kg, when = 7, unless = 0 }, { "soft_lean_mass", lb, when = { 0, 7 } },
    { "body_water_mass", kg, when = 8, unless = 0 }, { "body_water_mass", lb, when = { 0, 8 } },
    { "impedance", scaled("u16", 0.1, "Ω"), when = 9 },
    { "weight", kg, when = 10, unless = 0 }, { "weight", lb, when = { 0, 10 } },
    { "height_unit", bit = 0, names = height_units, when = 11 },
    { "height", metres, when = 11, unless = 0 }, { "height", inches, when = { 0, 11 } },
    { "multiple_packets", bit = 12 }, -- the measurement goes on in the next indication
  }),

  -- Body composition feature
  ["2a9b"] = codec.bits("u32", {
    "timestamp", "multiple_users", "basal_metabolism", "muscle_percentage", "muscle_mass", "fat_free_mass",
    "soft_lean_mass", "body_water_mass", "impedance", "weight", "height",
    { "mass_measurement_resolution", 4, mass_steps }, { "height_measurement_resolution", 3, height_steps },
  }),
}
