--- Cycling Power Service, 1818. The counters start again at 0: see sig.counter. The sensor's place is 2a5d of cycling.

local codec = require "codec"

local scaled = codec.scaled

local degrees = scaled("u16", 1, "°")
local torque = scaled("i16", 1 / 32, "N m")

--- Two numbers of 12 bits in 3 bytes.
local extreme_angles = codec.bits("u24", { { "maximum_angle", 12 }, { "minimum_angle", 12 } })

local location = require("sig.cycling")["2a5d"]
local results = codec.enum("u8", { "success", "unsupported", "invalid_parameter", "failed" })

local crank_length, chain_weight = scaled("u16", 0.5, "mm"), scaled("u16", 1, "g")
local chain_length, span_length = scaled("u16", 1, "mm"), scaled("u16", 1, "mm")

return {
  ["2a63"] = codec.record("cycling power measurement", {
    { flags = "u16" },
    { "power", scaled("i16", 1, "W") },
    { "pedal_power_balance", scaled("u8", 0.5, "%"), when = 0 },
    { "balance_reference", bit = 1, when = 0, names = { [0] = "unknown", "left" } },
    { "accumulated_torque", scaled("u16", 1 / 32, "N m"), when = 2 },
    { "torque_source", bit = 3, when = 2, names = { [0] = "wheel", "crank" } },
    { "wheel_revolutions", "u32", when = 4 },
    { "wheel_time", scaled("u16", 1 / 2048, "s"), when = 4 }, -- starts again at 32 s
    { "crank_revolutions", "u16", when = 5 },
    { "crank_time", scaled("u16", 1 / 1024, "s"), when = 5 }, -- starts again at 64 s
    { "maximum_force", scaled("i16", 1, "N"), when = 6 },
    { "minimum_force", scaled("i16", 1, "N"), when = 6 },
    { "maximum_torque", torque, when = 7 },
    { "minimum_torque", torque, when = 7 },
    { extreme_angles, when = 8 }, -- °
    { "top_dead_spot", degrees, when = 9 },
    { "bottom_dead_spot", degrees, when = 10 },
    { "accumulated_energy", scaled("u16", 1, "kJ"), when = 11 },
    { "offset_compensation", bit = 12 }, -- the zero offset should be adjusted
  }),

  -- Several notifications make one revolution; which of the two lists there is follows from the flags.
  ["2a64"] = codec.record("cycling power vector", {
    { flags = "u8" },
    { "direction", bit = 4, width = 2, names = { [0] = "unknown", "tangential", "radial", "lateral" } },
    { "crank_revolutions", "u16", when = 0 },
    { "crank_time", scaled("u16", 1 / 1024, "s"), when = 0 },
    { "first_crank_angle", degrees, when = 1 },
    { "forces", codec.list(scaled("i16", 1, "N")), when = 2, unless = 3 },
    { "torques", codec.list(torque), when = 3, unless = 2 },
  }),

  -- Cycling power feature
  ["2a65"] = codec.bits("u32", {
    "pedal_power_balance", "accumulated_torque", "wheel_revolutions", "crank_revolutions", "extreme_magnitudes",
    "extreme_angles", "dead_spots", "accumulated_energy", "offset_compensation_indicator", "offset_compensation",
    "content_masking", "multiple_locations", "crank_length", "chain_length", "chain_weight", "span_length",
    { "measurement_context", 1, { [0] = "force", "torque" } },
    "direction", "calibration_date", "enhanced_offset_compensation",
    { "distribution", 2, { [0] = "unspecified", "not_distributed", "distributed" } },
  }),

  ["2a66"] = codec.command("cycling power control point", {
    { "set_cumulative_value", { "value", "u32" } }, -- wheel revolutions
    { "set_location", { "location", location } },
    { "request_locations" },
    { "set_crank_length", { "crank_length", crank_length } },
    { "request_crank_length" },
    { "set_chain_length", { "chain_length", chain_length } },
    { "request_chain_length" },
    { "set_chain_weight", { "chain_weight", chain_weight } },
    { "request_chain_weight" },
    { "set_span_length", { "span_length", span_length } },
    { "request_span_length" },
    { "start_offset_compensation" },
    { "mask_content", { "mask", "u16" } },
    { "request_sampling_rate" },
    { "request_calibration_date" },
    { "start_enhanced_offset_compensation" },
    [32] = {
      "response", { "request", "opcode" }, { "result", results }, { "parameter", "bytes", optional = true },
    },
  }),
}
