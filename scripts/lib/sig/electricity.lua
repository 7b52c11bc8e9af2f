--- Voltage, current, power and energy.

local codec = require "codec"
local statistics = require "sig.statistics"

local scaled = codec.scaled

local volts = scaled("u16", 1 / 64, "V", 0xffff)
local amperes = scaled("u16", 0.01, "A", 0xffff)
local watts = scaled("u24", 0.1, "W", 0xffffff)
local kilowatt_hours = scaled("u24", 1, "kW h", 0xffffff)

return {
  ["2b18"] = volts,
  ["2b19"] = statistics.specification(volts),
  ["2b1a"] = statistics.statistics(volts),
  ["2ae1"] = statistics.average("voltage", volts),
  ["2b09"] = statistics.relative_runtime("voltage", volts),
  ["2be0"] = scaled("u24", 1 / 64, "V", 0xffffff),          -- high voltage
  ["2be8"] = scaled("u16", 1 / 256, "Hz", 0xffff),          -- voltage frequency

  ["2aee"] = amperes,
  ["2aef"] = statistics.range(amperes),
  ["2af0"] = statistics.specification(amperes),
  ["2af1"] = statistics.statistics(amperes),
  ["2ae0"] = statistics.average("current", amperes),
  ["2b07"] = statistics.relative_runtime("current", amperes),

  ["2b05"] = watts,
  ["2b06"] = statistics.specification(watts),

  ["2af2"] = kilowatt_hours,
  ["2af3"] = statistics.in_period_of_day("energy", kilowatt_hours),
  ["2ba8"] = scaled("u32", 1, "W h", 0xffffffff),           -- energy 32
  ["2b89"] = scaled("u32", 0.001, "kV A h", 0xffffffff),    -- apparent energy 32
  ["2b8a"] = scaled("u24", 0.1, "V A", 0xffffff),           -- apparent power
  ["2b8d"] = scaled("i8", 0.01, nil, 0x7f),                 -- cosine of the angle
}
