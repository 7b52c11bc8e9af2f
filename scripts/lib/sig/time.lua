--- Current Time Service, 1805, and the times of day and dates of others. Days of the week from Monday, 1, to Sunday, 7.

local codec = require "codec"
local date = require "sig.date"
local date_time = require "sig.date_time"

local scaled, record = codec.scaled, codec.record

local day_of_week = scaled("u8", 1, nil, 0)
local zone = scaled("i8", 0.25, "h", -128) -- from UTC, without daylight saving time
local dst = scaled("u8", 0.25, "h", 255)   -- what daylight saving time adds
local accuracy = scaled("u8", 1 / 8, "s", 255) -- 31.75: or more
local source = codec.enum("u8", { [0] = "unknown", "ntp", "gps", "radio", "manual", "atomic_clock", "cellular" })

local day_date_time = { { date_time }, { "day_of_week", day_of_week } }
local exact_time = { { date_time }, { "day_of_week", day_of_week }, { "fraction", scaled("u8", 1 / 256, "s") } }

return {
  -- Current time, to read and to set. os.time(value) is local time as the device has it.
  ["2a2b"] = record("current time", {
    exact_time[1], exact_time[2], exact_time[3],
    { "adjust_reason", codec.bits("u8", { "manual", "reference", "time_zone", "dst" }) },
  }),

  -- Local time information
  ["2a0f"] = record("local time information", { { "time_zone", zone }, { "dst_offset", dst } }),

  -- Reference time information. 255 days and 255 hours: longer ago than can be told.
  ["2a14"] = record("reference time information", {
    { "time_source", source },
    { "time_accuracy", accuracy },
    { "days_since_update", scaled("u8", 1, "days") },
    { "hours_since_update", scaled("u8", 1, "h") },
  }),

  ["2a08"] = date_time,
  ["2a09"] = day_of_week,
  ["2a0a"] = record("day date time", day_date_time),
  ["2a0c"] = record("exact time 256", exact_time),
  ["2a0d"] = dst,
  ["2a0e"] = zone,
  ["2a11"] = record("time with dst", { { date_time }, { "dst_offset", dst } }),
  ["2a12"] = accuracy,
  ["2a13"] = source,
  ["2a16"] = codec.enum("u8", { "get_reference_update", "cancel_reference_update" }),
  ["2a17"] = record("time update state", {
    { "state", codec.enum("u8", { [0] = "idle", "update_pending" }) },
    { "result", codec.enum("u8", {
      [0] = "successful", "canceled", "no_connection", "error", "timeout", "not_attempted",
    }) },
  }),

  ["2aed"] = date, -- date UTC
  ["2bef"] = date, -- estimated service date
  ["2c0e"] = date, -- first use date

  -- Durations, all in seconds
  ["2b12"] = scaled("u8", 360, "s", 0xff),         -- decihour 8
  ["2b13"] = require "sig.exponential",            -- exponential 8
  ["2b14"] = scaled("u24", 3600, "s", 0xffffff),   -- hour 24
  ["2b15"] = scaled("u24", 0.001, "s", 0xffffff),  -- millisecond 24
  ["2b16"] = scaled("u16", 1, "s", 0xffff),        -- second 16
  ["2b17"] = scaled("u8", 1, "s", 0xff),           -- second 8
  ["2be6"] = scaled("u32", 1, "s", 0xffffffff),    -- second 32

  -- Device Time Service, 1847. Seconds since 2000-01-01, or 1900-01-01 as its feature says.
  ["2b90"] = record("device time", {
    { "base_time", scaled("u32", 1, "s") },
    { "time_zone", zone },
    { "dst_offset", dst },
    { "status", "u16" },
  }),
  ["2b91"] = record("device time control point", { { "opcode", "u8" }, { "parameter", "bytes" } }),
  ["2b8e"] = codec.u16, -- device time feature, bits
  ["2b8f"] = record("device time parameters", {
    { "rtc_resolution", scaled("u16", 1 / 65536, "s") },
    { "rest", "bytes", optional = true }, -- drift and adjustments, as the feature says
  }),
}
