--- Heart Rate Service, 180d.

local codec = require "codec"

return {
  -- Heart rate measurement. `contact` is nil where the sensor can't tell.
  ["2a37"] = codec.record("heart rate measurement", {
    { flags = "u8" },
    { "contact", bit = 1, when = 2 },
    { "bpm", "u8", unless = 0 },
    { "bpm", "u16", when = 0 },
    { "energy", codec.scaled("u16", 1, "kJ"), when = 3 },                -- since the last reset; stays at 65535
    { "rr", codec.list(codec.scaled("u16", 1 / 1024, "s")), when = 4 }, -- between beats, oldest first
  }),

  -- Body sensor location
  ["2a38"] = codec.enum("u8", { [0] = "other", "chest", "wrist", "finger", "hand", "ear_lobe", "foot" }),

  -- Heart rate control point
  ["2a39"] = codec.enum("u8", { "reset_energy" }),
}
