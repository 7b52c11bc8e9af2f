--- Light and its colour.

local codec = require "codec"
local statistics = require "sig.statistics"

local record, scaled = codec.record, codec.scaled

local lumen = scaled("u16", 1, "lm", 0xffff)
local lux = scaled("u24", 0.01, "lx", 0xffffff)
local kelvin = scaled("u16", 1, "K", 0xffff)
local duv = scaled("i16", 0.00001, nil, 0x7fff)
local coordinate = scaled("u16", 1 / 65536)

return {
  ["2ae3"] = duv, -- chromatic distance from Planckian
  ["2ae4"] = record("chromaticity coordinates", { { "x", coordinate }, { "y", coordinate } }),
  ["2ae5"] = record("chromaticity in cct and duv", {
    { "correlated_color_temperature", kelvin }, { "chromaticity_distance_from_planckian", duv },
  }),
  ["2ae6"] = scaled("u8", 0.0001),               -- chromaticity tolerance
  ["2ae7"] = scaled("i8", 1, nil, 0x7f),         -- colour rendering index
  ["2ae9"] = kelvin,                             -- correlated colour temperature
  ["2b1c"] = coordinate,                         -- chromaticity coordinate
  ["2afc"] = scaled("u16", 0.1, "lm/W", 0xffff), -- luminous efficacy
  ["2afd"] = scaled("u24", 1, "klm h", 0xffffff), -- luminous energy
  ["2afe"] = scaled("u24", 1, "klx h", 0xffffff), -- luminous exposure
  ["2aff"] = lumen,                              -- luminous flux
  ["2b00"] = statistics.range(lumen),
  ["2b01"] = scaled("u16", 1, "cd", 0xffff),     -- luminous intensity
  ["2b03"] = scaled("u16", 1),                   -- perceived lightness
  ["2b0a"] = statistics.relative_runtime("illuminance", lux),
  ["2be2"] = scaled("u24", 1, "lm", 0xffffff),   -- light output
  ["2be3"] = scaled("u8", 1),                    -- light source type
}
