--- Numbers, texts and quantities that any service may use.

local codec = require "codec"
local exponential = require "sig.exponential"
local statistics = require "sig.statistics"

local bits, record, scaled = codec.bits, codec.record, codec.scaled

local celsius, celsius_8 = scaled("i16", 0.01, "°C", -32768), scaled("i8", 0.5, "°C", 0x7f)
local count = scaled("u16", 1, nil, 0xffff)
local standard_gravity = scaled("i16", 0.001, "gn")

local function axes(quantity)
  return record("three axes", { { "x_axis", quantity }, { "y_axis", quantity }, { "z_axis", quantity } })
end

return {
  ["2ae2"] = codec.bool,
  ["2ae8"] = codec.f32,                             -- coefficient
  ["2aea"] = count,                                 -- count 16
  ["2aeb"] = scaled("u24", 1, nil, 0xffffff),       -- count 24
  ["2aec"] = scaled("u16", 1),                      -- country code, ISO 3166-1
  ["2af4"] = record("event statistics", {
    { "events", count }, { "average_duration", scaled("u16", 1, "s", 0xffff) },
    { "time_since_last_event", exponential }, { "sensing_duration", exponential },
  }),
  ["2af5"] = codec.utf8,                            -- fixed string 16
  ["2af6"] = codec.utf8,                            -- fixed string 24
  ["2af7"] = codec.utf8,                            -- fixed string 36
  ["2af8"] = codec.utf8,                            -- fixed string 8
  ["2bde"] = codec.utf8,                            -- fixed string 64
  ["2af9"] = scaled("u16", 1),                      -- generic level
  ["2afa"] = codec.u48,                             -- global trade item number
  ["2aa2"] = codec.utf8,                            -- language
  ["2b04"] = statistics.relative,                   -- percentage 8
  ["2c05"] = scaled("u8", 1, nil, 0xff),            -- percentage 8 steps
  ["2b08"] = statistics.relative_runtime("generic_level", scaled("u16", 1)),
  ["2b0b"] = statistics.in_period_of_day("relative_value", statistics.relative),

  ["2b0d"] = celsius_8,
  ["2b0e"] = statistics.in_period_of_day("temperature", celsius_8),
  ["2b0f"] = statistics.statistics(celsius_8, scaled("u8", 0.5, "°C", 0xff)),
  ["2b10"] = statistics.range(celsius),
  ["2b11"] = statistics.statistics(celsius, scaled("u16", 0.01, "°C", 0xffff)),
  ["2b0c"] = statistics.relative_runtime("temperature", celsius),
  ["2bdf"] = scaled("i16", 0.5, "°C", -32768),      -- high temperature

  ["2b02"] = scaled("u16", 1, "g/s", 0xffff),       -- mass flow
  ["2b1b"] = scaled("u16", 0.001, "L/s", 0xffff),   -- volume flow
  ["2c06"] = scaled("i32", 0.001, "m/s²"),          -- acceleration
  ["2c08"] = scaled("i32", 1e-7, "m"),              -- linear position
  ["2c0a"] = scaled("u32", 1e-7, "m"),              -- length
  ["2c0b"] = scaled("i32", 0.01, "N m"),            -- torque
  ["2c1e"] = axes(standard_gravity),                -- precise acceleration 3D
  ["2c1f"] = codec.u8,                              -- acceleration detection status
  ["2c20"] = codec.u8,                              -- door or window status
  ["2c21"] = bits("u8", { -- pushbutton status 8
    { "button_0", 2 }, { "button_1", 2 }, { "button_2", 2 }, { "button_3", 2 },
  }),

  ["2a56"] = codec.list(bits("u8", { -- digital: four inputs a byte
    { "input_0", 2 }, { "input_1", 2 }, { "input_2", 2 }, { "input_3", 2 },
  })),
  ["2a58"] = scaled("u16", 1),                      -- analog
  ["2a5a"] = codec.bytes,                           -- aggregate
}
