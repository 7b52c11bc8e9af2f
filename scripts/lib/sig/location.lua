--- Location and Navigation Service, 1819, and Indoor Positioning Service, 1821.

local codec = require "codec"
local date_time = require "sig.date_time"

local record, scaled = codec.record, codec.scaled

local degrees = scaled("i32", 1e-7, "°")
local heading = scaled("u16", 0.01, "°")
local local_coordinate = scaled("i16", 0.1, "m", -32768)
local position_status = { [0] = "no_position", "position_ok", "estimated", "last_known" }

return {
  ["2a67"] = record("location and speed", {
    { flags = "u16" },
    { "position_status", bit = 7, width = 2, names = position_status },
    { "speed_and_distance_format", bit = 9, names = { [0] = "2d", "3d" } },
    { "elevation_source", bit = 10, width = 2, names = { [0] = "positioning", "barometer", "database", "other" } },
    { "heading_source", bit = 12, names = { [0] = "movement", "compass" } },
    { "speed", scaled("u16", 0.01, "m/s"), when = 0 },
    { "total_distance", scaled("u24", 0.1, "m"), when = 1 },
    { "latitude", degrees, when = 2 },
    { "longitude", degrees, when = 2 },
    { "elevation", scaled("i24", 0.01, "m"), when = 3 },
    { "heading", heading, when = 4 },
    { "rolling_time", scaled("u8", 1, "s"), when = 5 },
    { "utc_time", date_time, when = 6 },
  }),

  ["2a68"] = record("navigation", {
    { flags = "u16" },
    { "position_status", bit = 3, width = 2, names = position_status },
    { "heading_source", bit = 5, names = { [0] = "movement", "compass" } },
    { "indicator", bit = 6, names = { [0] = "heading", "compass_bearing" } },
    { "waypoint_reached", bit = 7 },
    { "destination_reached", bit = 8 },
    { "bearing", heading },
    { "heading", heading },
    { "remaining_distance", scaled("u24", 0.1, "m"), when = 0 },
    { "remaining_vertical_distance", scaled("i24", 0.01, "m"), when = 1 },
    { "arrival_time", date_time, when = 2 },
  }),

  ["2a69"] = record("position quality", {
    { flags = "u16" },
    { "position_status", bit = 7, width = 2, names = position_status },
    { "beacons_in_solution", "u8", when = 0 },
    { "beacons_in_view", "u8", when = 1 },
    { "time_to_first_fix", scaled("u16", 0.1, "s"), when = 2 },
    { "ehpe", scaled("u32", 0.01, "m"), when = 3 }, -- expected horizontal position error
    { "evpe", scaled("u32", 0.01, "m"), when = 4 }, -- expected vertical position error
    { "hdop", scaled("u8", 0.5), when = 5 },
    { "vdop", scaled("u8", 0.5), when = 6 },
  }),

  ["2a6a"] = codec.bits("u32", { -- LN feature
    "speed", "total_distance", "location", "elevation", "heading", "rolling_time", "utc_time", "remaining_distance",
    "remaining_vertical_distance", "arrival_time", "beacons_in_solution", "beacons_in_view", "time_to_first_fix",
    "horizontal_error", "vertical_error", "hdop", "vdop", "content_masking", "fix_rate", "elevation_setting",
    "position_status",
  }),

  ["2aad"] = codec.bits("u8", { -- indoor positioning configuration
    "coordinates", "local_coordinates", "tx_power", "altitude", "floor_number", "location_name",
  }),
  ["2aae"] = degrees, -- latitude
  ["2aaf"] = degrees, -- longitude
  ["2ab0"] = local_coordinate, -- north
  ["2ab1"] = local_coordinate, -- east
  ["2ab2"] = codec.u8, -- floor number, from -20
  ["2ab3"] = codec.u16, -- altitude
  ["2ab5"] = codec.utf8, -- location name
}
