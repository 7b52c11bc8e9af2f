--- Running Speed and Cadence Service, 1814. Its sensor location and control point are those of cycling.

local codec = require "codec"

local scaled = codec.scaled

return {
  ["2a53"] = codec.record("rsc measurement", {
    { flags = "u8" },
    { "speed", scaled("u16", 1 / 256, "m/s") },
    { "cadence", scaled("u8", 1, "1/min") },
    { "stride_length", scaled("u16", 0.01, "m"), when = 0 },
    { "total_distance", scaled("u32", 0.1, "m"), when = 1 },
    { "running", bit = 2 }, -- else walking
  }),

  -- RSC feature
  ["2a54"] = codec.bits("u16", { "stride_length", "total_distance", "running", "calibration", "multiple_locations" }),
}
