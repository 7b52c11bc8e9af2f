--- Health Thermometer Service, 1809.

local codec = require "codec"
local date_time = require "sig.date_time"

local site = codec.enum("u8", {
  "armpit", "body", "ear", "finger", "gastrointestinal", "mouth", "rectum", "toe", "tympanum",
})

local function temperature(name)
  return codec.record(name, {
    { flags = "u8" },
    { "unit", bit = 0, names = { [0] = "°C", "°F" } },
    { "temperature", "float" }, -- nil: the measurement failed
    { "timestamp", date_time, when = 1 },
    { "temperature_type", site, when = 2 },
  })
end

return {
  ["2a1c"] = temperature "temperature measurement",
  ["2a1e"] = temperature "intermediate temperature",
  ["2a1d"] = site,
  ["2a21"] = codec.scaled("u16", 1, "s"), -- measurement interval; 0: only now and then
}
