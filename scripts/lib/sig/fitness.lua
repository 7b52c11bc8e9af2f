--- Fitness Machine Service, 1826: what machines tell. The control point is in sig.fitness_control.
--
-- Bit 0 of the flags, "more data", is clear where the first fields are there. A record too long for one notification
-- comes in two; the one with these fields is the last.
--
-- In version 1.0 of the service a resistance level is 16 bits and a treadmill's pace 8; the later supplement says
-- otherwise. All other fields have a fixed length, so the number of bytes tells which of the two it is.

local codec = require "codec"

local scaled, record = codec.scaled, codec.record

local speed = scaled("u16", 0.01, "km/h")
local half_per_minute = scaled("u16", 0.5, "1/min")
local per_minute = scaled("u16", 1, "1/min")
local metres = scaled("u24", 1, "m")
local power = scaled("i16", 1, "W")
local incline, angle = scaled("i16", 0.1, "%"), scaled("i16", 0.1, "°")
local seconds = scaled("u16", 1, "s")
local pace = scaled("u16", 1, "s") -- for 500 m
local old_resistance, new_resistance = scaled("i16", 1), scaled("u8", 0.1) -- of bikes and rowers

-- 65535 and 255: the machine can't tell.
local energy, energy_per_minute = scaled("u16", 1, "kcal", 0xffff), scaled("u8", 1, "kcal/min", 0xff)
local energy_per_hour = scaled("u16", 1, "kcal/h", 0xffff)

--- The fields that all machines end with, the first at this bit of the flags.
local function and_then(fields, bit)
  table.move({
    { "total_energy", energy, when = bit },
    { "energy_per_hour", energy_per_hour, when = bit },
    { "energy_per_minute", energy_per_minute, when = bit },
    { "heart_rate", scaled("u8", 1, "1/min"), when = bit + 1 },
    { "metabolic_equivalent", scaled("u8", 0.1), when = bit + 2 },
    { "elapsed_time", seconds, when = bit + 3 },
    { "remaining_time", seconds, when = bit + 4 },
  }, 1, 7, #fields + 1, fields)
  return fields
end

local function treadmill(pace_field)
  local fields = and_then({
    { flags = "u16" },
    { "speed", speed, unless = 0 },
    { "average_speed", speed, when = 1 },
    { "total_distance", metres, when = 2 },
    { "inclination", incline, when = 3 },
    { "ramp_angle", angle, when = 3 },
    { "positive_elevation_gain", scaled("u16", 0.1, "m"), when = 4 },
    { "negative_elevation_gain", scaled("u16", 0.1, "m"), when = 4 },
    { pace_field, pace_field == "pace" and scaled("u8", 0.1, "km/min") or seconds, when = 5 },
    { "average_" .. pace_field, pace_field == "pace" and scaled("u8", 0.1, "km/min") or seconds, when = 6 },
  }, 7)
  fields[#fields + 1] = { "belt_force", scaled("i16", 1, "N", 0x7fff), when = 12 }
  fields[#fields + 1] = { "power", scaled("i16", 1, "W", 0x7fff), when = 12 }
  return record("treadmill data", fields)
end

local function rower(resistance)
  return record("rower data", and_then({
    { flags = "u16" },
    { "stroke_rate", scaled("u8", 0.5, "1/min"), unless = 0 },
    { "stroke_count", "u16", unless = 0 },
    { "average_stroke_rate", scaled("u8", 0.5, "1/min"), when = 1 },
    { "total_distance", metres, when = 2 },
    { "pace", pace, when = 3 },
    { "average_pace", pace, when = 4 },
    { "power", power, when = 5 },
    { "average_power", power, when = 6 },
    { "resistance", resistance, when = 7 },
  }, 8))
end

local function bike(resistance)
  return record("indoor bike data", and_then({
    { flags = "u16" },
    { "speed", speed, unless = 0 },
    { "average_speed", speed, when = 1 },
    { "cadence", half_per_minute, when = 2 },
    { "average_cadence", half_per_minute, when = 3 },
    { "total_distance", metres, when = 4 },
    { "resistance", resistance, when = 5 },
    { "power", power, when = 6 },
    { "average_power", power, when = 7 },
  }, 8))
end

local function cross_trainer(resistance)
  local fields = and_then({
    { flags = "u24" },
    { "backward", bit = 15 },
    { "speed", speed, unless = 0 },
    { "average_speed", speed, when = 1 },
    { "total_distance", metres, when = 2 },
    { "step_rate", per_minute, when = 3 },
    { "average_step_rate", per_minute, when = 3 },
    { "stride_count", scaled("u16", 0.1), when = 4 },
    { "positive_elevation_gain", scaled("u16", 1, "m"), when = 5 },
    { "negative_elevation_gain", scaled("u16", 1, "m"), when = 5 },
    { "inclination", incline, when = 6 },
    { "ramp_angle", angle, when = 6 },
    { "resistance", resistance, when = 7 },
    { "power", power, when = 8 },
    { "average_power", power, when = 9 },
  }, 10)
  return record("cross trainer data", fields)
end

local function climber(name, stride_count)
  local fields = {
    { flags = "u16" },
    { "floors", "u16", unless = 0 },
    { "step_count", "u16", unless = 0 },
    { "step_rate", per_minute, when = 1 },
    { "average_step_rate", per_minute, when = 2 },
    { "positive_elevation_gain", scaled("u16", 1, "m"), when = 3 },
  }
  if not stride_count then return record(name, and_then(fields, 4)) end
  table.remove(fields, 3)
  fields[#fields + 1] = { "stride_count", "u16", when = 4 }
  return record(name, and_then(fields, 5))
end

local function range(name, minimum, increment)
  return record(name, {
    { "minimum", minimum }, { "maximum", minimum }, { "minimum_increment", increment or minimum },
  })
end

return {
  ["2acd"] = codec.either(treadmill "pace", treadmill "pace_time"),
  ["2ace"] = codec.either(cross_trainer(scaled("i16", 0.1)), cross_trainer(new_resistance)),
  ["2acf"] = climber("step climber data", false),
  ["2ad0"] = climber("stair climber data", true),
  ["2ad1"] = codec.either(rower(old_resistance), rower(new_resistance)),
  ["2ad2"] = codec.either(bike(old_resistance), bike(new_resistance)),

  -- Training status
  ["2ad3"] = record("training status", {
    { flags = "u8" },
    { "training_status", codec.enum("u8", {
      [0] = "other", "idle", "warming_up", "low_intensity_interval", "high_intensity_interval", "recovery_interval",
      "isometric", "heart_rate_control", "fitness_test", "speed_too_low", "speed_too_high", "cool_down",
      "watt_control", "manual", "pre_workout", "post_workout",
    }) },
    { "text", "utf8", when = 0 },
    { "text_goes_on", bit = 1 }, -- the rest is to be read
  }),

  ["2ad4"] = range("supported speed range", speed),
  ["2ad5"] = range("supported inclination range", incline, scaled("u16", 0.1, "%")),
  ["2ad6"] = codec.either(
    range("supported resistance level range", scaled("i16", 0.1), scaled("u16", 0.1)),
    range("supported resistance level range", new_resistance)),
  ["2ad7"] = range("supported heart rate range", scaled("u8", 1, "1/min")),
  ["2ad8"] = range("supported power range", power, scaled("u16", 1, "W")),

  -- Fitness machine feature
  ["2acc"] = record("fitness machine feature", {
    { codec.bits("u32", {
      "average_speed", "cadence", "total_distance", "inclination", "elevation_gain", "pace", "step_count",
      "resistance_level", "stride_count", "expended_energy", "heart_rate", "metabolic_equivalent", "elapsed_time",
      "remaining_time", "power", "belt_force_and_power", "user_data_retention",
    }) },
    { "targets", codec.bits("u32", {
      "speed", "inclination", "resistance", "power", "heart_rate", "energy", "steps", "strides", "distance", "time",
      "time_in_two_zones", "time_in_three_zones", "time_in_five_zones", "simulation", "wheel_circumference",
      "spin_down", "cadence",
    }) },
  }),
}
