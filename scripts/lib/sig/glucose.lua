--- Glucose Service, 1808. Records are asked for at the control point: see racp.

local codec = require "codec"
local date_time = require "sig.date_time"

local kind_and_place = codec.bits("u8", {
  { "glucose_type", 4, {
    "capillary_whole_blood", "capillary_plasma", "venous_whole_blood", "venous_plasma", "arterial_whole_blood",
    "arterial_plasma", "undetermined_whole_blood", "undetermined_plasma", "interstitial_fluid", "control_solution",
  } },
  { "sample_location", 4, {
    "finger", "alternate_site", "earlobe", "control_solution", [15] = "not_available",
  } },
})

local status = codec.bits("u16", {
  "battery_low", "sensor_malfunction", "sample_insufficient", "strip_insertion_error", "strip_type_incorrect",
  "result_too_high", "result_too_low", "temperature_too_high", "temperature_too_low", "strip_pulled_too_soon",
  "general_fault", "time_fault",
})

local tester_and_health = codec.bits("u8", {
  { "tester", 4, { "self", "professional", "laboratory", [15] = "not_available" } },
  { "health", 4, { "minor_issues", "major_issues", "menses", "stress", "none", [15] = "not_available" } },
})

local carbohydrate = codec.enum("u8", { "breakfast", "lunch", "dinner", "snack", "drink", "supper", "brunch" })
local meal = codec.enum("u8", { "before", "after", "fasting", "casual", "bedtime" })
local medication = codec.enum("u8", {
  "rapid_acting_insulin", "short_acting_insulin", "intermediate_acting_insulin", "long_acting_insulin",
  "premixed_insulin",
})

return {
  ["2a18"] = codec.record("glucose measurement", {
    { flags = "u8" },
    { "sequence_number", "u16" },
    { "base_time", date_time },
    { "time_offset", codec.scaled("i16", 1, "min"), when = 0 }, -- what the user has moved the clock by
    { "unit", bit = 2, when = 1, names = { [0] = "kg/L", "mol/L" } },
    { "glucose_concentration", "sfloat", when = 1 },
    { kind_and_place, when = 1 },
    { "sensor_status", status, when = 3 },
    { "context_follows", bit = 4 },
  }),

  -- Belongs to the measurement of the same sequence number.
  ["2a34"] = codec.record("glucose measurement context", {
    { flags = "u8" },
    { "sequence_number", "u16" },
    { "extended_flags", "u8", when = 7 },
    { "carbohydrate_id", carbohydrate, when = 0 },
    { "carbohydrate", "sfloat", when = 0 }, -- kg
    { "meal", meal, when = 1 },
    { tester_and_health, when = 2 },
    { "exercise_duration", codec.scaled("u16", 1, "s"), when = 3 }, -- 65535: longer
    { "exercise_intensity", codec.scaled("u8", 1, "%"), when = 3 },
    { "medication_id", medication, when = 4 },
    { "medication", "sfloat", when = 4 },
    { "medication_unit", bit = 5, when = 4, names = { [0] = "kg", "L" } },
    { "hba1c", "sfloat", when = 6 }, -- %
  }),

  -- Glucose feature
  ["2a51"] = codec.bits("u16", {
    "low_battery", "sensor_malfunction", "sample_size", "strip_insertion", "strip_type", "result_high_low",
    "temperature_high_low", "read_interrupt", "general_fault", "time_fault", "multiple_bonds",
  }),

  -- Record access control point, of several services. The operand's meaning depends on the service.
  ["2a52"] = codec.record("record access control point", {
    { "opcode", codec.enum("u8", {
      "report", "delete", "abort", "count", "count_response", "response", "combined_report", "combined_response",
    }) },
    { "operator", codec.enum("u8", {
      [0] = "null", "all", "up_to", "from", "range", "first", "last",
    }) },
    { "operand", "bytes" },
  }),
}
