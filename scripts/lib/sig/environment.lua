--- Environmental Sensing Service, 181a. A sensor that knows nothing says so with a number of its own: nil in Lua.

local codec = require "codec"

local scaled = codec.scaled

local celsius = scaled("i8", 1, "°C")
local direction = scaled("u16", 0.01, "°") -- clockwise from north, or from where the device points
local wind_speed = scaled("u16", 0.01, "m/s")
local tesla = scaled("i16", 1e-7, "T")
local axis = function(name) return { name, tesla } end

-- IEEE 11073, as the sensor sends it. The unit is not in the bytes: mass in a volume for some gases and for particles,
-- parts of a billion for others, and sensors differ.
local concentration = codec.sfloat

return {
  ["2a6c"] = scaled("i24", 0.01, "m"),             -- elevation
  ["2a6d"] = scaled("u32", 0.1, "Pa"),             -- pressure
  ["2a6e"] = scaled("i16", 0.01, "°C", -32768),    -- temperature
  ["2a6f"] = scaled("u16", 0.01, "%", 0xffff),     -- humidity
  ["2a70"] = wind_speed,                           -- true wind speed
  ["2a71"] = direction,                            -- true wind direction
  ["2a72"] = wind_speed,                           -- apparent wind speed
  ["2a73"] = direction,                            -- apparent wind direction
  ["2a74"] = scaled("u8", 0.1),                    -- gust factor
  ["2a75"] = scaled("u24", 1, "1/m³"),             -- pollen concentration
  ["2a76"] = scaled("u8", 1),                      -- UV index
  ["2a77"] = scaled("u16", 0.1, "W/m²"),           -- irradiance
  ["2a78"] = scaled("u16", 1, "mm"),               -- rainfall
  ["2a79"] = celsius,                              -- wind chill
  ["2a7a"] = celsius,                              -- heat index
  ["2a7b"] = celsius,                              -- dew point
  ["2a2c"] = scaled("u16", 0.01, "°"),             -- magnetic declination
  ["2aa0"] = codec.record("magnetic flux density 2d", { axis "x_axis", axis "y_axis" }),
  ["2aa1"] = codec.record("magnetic flux density 3d", { axis "x_axis", axis "y_axis", axis "z_axis" }),

  -- Barometric pressure trend
  ["2aa3"] = codec.enum("u8", {
    [0] = "unknown", "continuously_falling", "continuously_rising", "falling_then_steady", "rising_then_steady",
    "falling_before_lesser_rise", "falling_before_greater_rise", "rising_before_greater_fall",
    "rising_before_lesser_fall", "steady",
  }),

  ["2afb"] = scaled("u24", 0.01, "lx", 0xffffff),  -- illuminance
  ["2c1c"] = scaled("u16", 1, "lx", 0xffff),       -- illuminance 16
  ["2c1b"] = scaled("u8", 0.5, "%", 0xff),         -- humidity 8
  ["2be4"] = scaled("u8", 1, "dB", 0xff),          -- noise; 254: or more

  ["2b8c"] = scaled("u16", 1, "ppm", 0xffff),      -- CO2; 65534: or more
  ["2bcf"] = concentration,                        -- ammonia
  ["2bd0"] = concentration,                        -- carbon monoxide
  ["2bd1"] = concentration,                        -- methane
  ["2bd2"] = concentration,                        -- nitrogen dioxide
  ["2bd3"] = concentration,                        -- volatile organic compounds but methane
  ["2bd4"] = concentration,                        -- ozone
  ["2bd5"] = concentration,                        -- particles up to 1 µm
  ["2bd6"] = concentration,                        -- particles up to 2.5 µm
  ["2bd7"] = concentration,                        -- particles up to 10 µm
  ["2bd8"] = concentration,                        -- sulfur dioxide
  ["2bd9"] = concentration,                        -- sulfur hexafluoride
}
