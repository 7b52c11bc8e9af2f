--- Pulse Oximeter Service, 1822. Saturation in %, rates in 1/min, the pulse amplitude index in %.

local codec = require "codec"
local date_time = require "sig.date_time"

local measurement_status = codec.bits("u16", {
  5, "ongoing", "early_estimate", "validated", "fully_qualified", "from_storage", "for_demonstration", "for_testing",
  "calibration_ongoing", "unavailable", "questionable", "invalid",
})

local sensor_status = codec.bits("u24", {
  "extended_display_update", "equipment_malfunction", "signal_irregularity", "inadequate_signal", "poor_signal",
  "low_perfusion", "erratic_signal", "nonpulsatile_signal", "questionable_pulse", "signal_analysis_ongoing",
  "sensor_interference", "sensor_unconnected_to_user", "unknown_sensor", "sensor_displaced", "sensor_malfunction",
  "sensor_disconnected",
})

return {
  ["2a5e"] = codec.record("plx spot-check measurement", {
    { flags = "u8" },
    { "spo2", "sfloat" },
    { "pulse_rate", "sfloat" },
    { "timestamp", date_time, when = 0 },
    { "measurement_status", measurement_status, when = 1 },
    { "sensor_status", sensor_status, when = 2 },
    { "pulse_amplitude_index", "sfloat", when = 3 },
    { "clock_not_set", bit = 4 },
  }),

  ["2a5f"] = codec.record("plx continuous measurement", {
    { flags = "u8" },
    { "spo2", "sfloat" },
    { "pulse_rate", "sfloat" },
    { "spo2_fast", "sfloat", when = 0 },
    { "pulse_rate_fast", "sfloat", when = 0 },
    { "spo2_slow", "sfloat", when = 1 },
    { "pulse_rate_slow", "sfloat", when = 1 },
    { "measurement_status", measurement_status, when = 2 },
    { "sensor_status", sensor_status, when = 3 },
    { "pulse_amplitude_index", "sfloat", when = 4 },
  }),

  ["2a60"] = codec.record("plx features", {
    { flags = "u16" },
    { "spot_check_storage", bit = 2 }, { "timestamp", bit = 3 }, { "fast", bit = 4 }, { "slow", bit = 5 },
    { "pulse_amplitude_index", bit = 6 }, { "multiple_bonds", bit = 7 },
    { "measurement_status", measurement_status, when = 0 }, -- which of them it can tell
    { "sensor_status", sensor_status, when = 1 },
  }),
}
