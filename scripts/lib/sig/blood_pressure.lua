--- Blood Pressure Service, 1810.

local codec = require "codec"
local date_time = require "sig.date_time"

local user = codec.scaled("u8", 1, nil, 255)

local status = codec.bits("u16", {
  "body_movement", "cuff_too_loose", "irregular_pulse",
  { "pulse_rate_range", 2, { [0] = "within", "above", "below" } },
  "improper_position",
})

local function with_pressures(name, pressures)
  local fields = { { flags = "u8" }, { "unit", bit = 0, names = { [0] = "mmHg", "kPa" } } }
  table.move(pressures, 1, #pressures, #fields + 1, fields)
  table.move({
    { "timestamp", date_time, when = 1 },
    { "pulse_rate", "sfloat", when = 2 }, -- 1/min
    { "user_id", user, when = 3 },
    { "measurement_status", status, when = 4 },
  }, 1, 4, #fields + 1, fields)
  return codec.record(name, fields)
end

return {
  ["2a35"] = with_pressures("blood pressure measurement", {
    { "systolic", "sfloat" }, { "diastolic", "sfloat" }, { "mean_arterial_pressure", "sfloat" },
  }),

  -- Its other two pressures are there and mean nothing: devices write NaN.
  ["2a36"] = with_pressures("intermediate cuff pressure", {
    { "current_cuff_pressure", "sfloat" }, { "unused_diastolic", "sfloat" }, { "unused_mean", "sfloat" },
  }),

  -- Blood pressure feature
  ["2a49"] = codec.bits("u16", {
    "body_movement", "cuff_fit", "irregular_pulse", "pulse_rate_range", "measurement_position", "multiple_bonds",
    "crc", "user_data", "user_facing_time",
  }),
}
