--- Cycling Speed and Cadence Service, 1816. The counters start again at 0: see sig.counter.

local codec = require "codec"

local scaled = codec.scaled
local event_time = scaled("u16", 1 / 1024, "s") -- starts again at 64 s

local locations = {
  [0] = "other", "top_of_shoe", "in_shoe", "hip", "front_wheel", "left_crank", "right_crank", "left_pedal",
  "right_pedal", "front_hub", "rear_dropout", "chainstay", "rear_wheel", "rear_hub", "chest", "spider", "chain_ring",
}
local location = codec.enum("u8", locations)

local results = codec.enum("u8", { "success", "unsupported", "invalid_parameter", "failed" })

return {
  ["2a5b"] = codec.record("csc measurement", {
    { flags = "u8" },
    { "wheel_revolutions", "u32", when = 0 },
    { "wheel_time", event_time, when = 0 },
    { "crank_revolutions", "u16", when = 1 },
    { "crank_time", event_time, when = 1 },
  }),

  -- CSC feature
  ["2a5c"] = codec.bits("u16", { "wheel_revolutions", "crank_revolutions", "multiple_locations" }),

  -- Sensor location, of running and power too
  ["2a5d"] = location,

  -- SC control point, of running too
  ["2a55"] = codec.command("sc control point", {
    { "set_cumulative_value", { "value", "u32" } }, -- revolutions, or 0.1 m of running
    { "start_calibration" },
    { "set_location", { "location", location } },
    { "request_locations" },
    [16] = {
      "response", { "request", "opcode" }, { "result", results },
      { "locations", codec.list(location), optional = true },
    },
  }),
}
