--- Continuous Glucose Monitoring Service, 181f.
--
-- Where the feature says so a checksum of 16 bits ends values; it is not verified here.

local codec = require "codec"
local date_time = require "sig.date_time"

local record, scaled = codec.record, codec.scaled

local zone, dst = scaled("i8", 0.25, "h", -128), scaled("u8", 0.25, "h", 255)
local minutes = scaled("u16", 1, "min")

return {
  -- One measurement. A notification with several, each starting with its size, is refused as too long.
  ["2aa7"] = record("cgm measurement", {
    { "size", "u8" },
    { flags = "u8" },
    { "concentration", "sfloat" }, -- mg/dL
    { "time_offset", minutes },    -- since the session started
    { "status", "u8", when = 7 },
    { "calibration_and_temperature", "u8", when = 6 },
    { "warnings", "u8", when = 5 },
    { "trend", "sfloat", when = 0 },   -- mg/(dL min)
    { "quality", "sfloat", when = 1 }, -- %
    { "crc", "u16", optional = true },
  }),

  ["2aa8"] = record("cgm feature", {
    { "features", codec.bits("u24", {
      "calibration", "patient_alerts", "hypo_alerts", "hyper_alerts", "rate_alerts", "device_specific_alert",
      "malfunction_detection", "temperature_high_low", "result_high_low", "low_battery", "sensor_type_error",
      "general_fault", "crc", "multiple_bonds", "multiple_sessions", "trend", "quality",
    }) },
    { codec.bits("u8", {
      { "cgm_type", 4, {
        "capillary_whole_blood", "capillary_plasma", "venous_whole_blood", "venous_plasma", "arterial_whole_blood",
        "arterial_plasma", "undetermined_whole_blood", "undetermined_plasma", "interstitial_fluid",
        "control_solution",
      } },
      { "sample_location", 4, {
        "finger", "alternate_site", "earlobe", "control_solution", "subcutaneous_tissue", [15] = "not_available",
      } },
    }) },
    { "crc", "u16" }, -- 65535: none
  }),

  ["2aa9"] = record("cgm status", {
    { "time_offset", minutes }, { "status", "u24" }, { "crc", "u16", optional = true },
  }),
  ["2aaa"] = record("cgm session start time", {
    { "start_time", date_time }, { "time_zone", zone }, { "dst_offset", dst }, { "crc", "u16", optional = true },
  }),
  ["2aab"] = record("cgm session run time", {
    { "run_time", scaled("u16", 1, "h") }, { "crc", "u16", optional = true },
  }),
  ["2aac"] = record("cgm specific ops control point", { { "opcode", "u8" }, { "operand", "bytes" } }),
}
