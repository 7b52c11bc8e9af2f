--- Layouts that quantities have in common: ranges, specifications, statistics, and values told for a range.

local codec = require "codec"
local exponential = require "sig.exponential"

local record, scaled = codec.record, codec.scaled

local hour = scaled("u8", 360, "s", 0xff) -- of the day
local relative = scaled("u8", 0.5, "%", 0xff)

local statistics = {}

function statistics.range(quantity)
  return record("range", { { "minimum", quantity }, { "maximum", quantity } })
end

function statistics.specification(quantity)
  return record("specification", { { "minimum", quantity }, { "typical", quantity }, { "maximum", quantity } })
end

--- `deviation`: of the standard deviation, if it isn't laid out as the rest.
function statistics.statistics(quantity, deviation)
  return record("statistics", {
    { "average", quantity },
    { "standard_deviation", deviation or quantity },
    { "minimum", quantity },
    { "maximum", quantity },
    { "sensing_duration", exponential },
  })
end

function statistics.average(name, quantity)
  return record("average " .. name, { { name, quantity }, { "sensing_duration", exponential } })
end

function statistics.in_period_of_day(name, quantity)
  return record(name .. " in a period of day", { { name, quantity }, { "start_time", hour }, { "end_time", hour } })
end

function statistics.relative_runtime(name, quantity)
  return record("relative runtime in a range of " .. name, {
    { "relative_value", relative }, { "minimum_" .. name, quantity }, { "maximum_" .. name, quantity },
  })
end

statistics.relative = relative

return statistics
