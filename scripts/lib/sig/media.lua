--- Media Control Service, 1848.

local codec = require "codec"

local enum, utf8 = codec.enum, codec.utf8

local object = codec.u48
local time = codec.scaled("i32", 0.01, "s", -1)

local orders = {
  "single_once", "single_repeat", "in_order_once", "in_order_repeat", "oldest_once", "oldest_repeat", "newest_once",
  "newest_repeat", "shuffle_once", "shuffle_repeat",
}

return {
  ["2b93"] = utf8, -- player name
  ["2b94"] = object, -- player icon
  ["2b95"] = utf8, -- URL of the player icon
  ["2b96"] = codec.bytes, -- track changed: notified without a value
  ["2b97"] = utf8, -- track title
  ["2b98"] = time, -- track duration
  ["2b99"] = time, -- track position
  ["2b9a"] = codec.scaled("i8", 1), -- playback speed, 2 to the power of (n / 64)
  ["2b9b"] = codec.scaled("i8", 1), -- seeking speed, a multiple of the speed
  ["2b9c"] = object, -- segments of the current track
  ["2b9d"] = object, -- current track
  ["2b9e"] = object, -- next track
  ["2b9f"] = object, -- parent group
  ["2ba0"] = object, -- current group
  ["2ba1"] = enum("u8", orders), -- playing order
  ["2ba2"] = codec.bits("u16", orders), -- playing orders supported
  ["2ba3"] = enum("u8", { [0] = "inactive", "playing", "paused", "seeking" }), -- state
  ["2ba4"] = codec.command("media control point", {
    { "play" }, { "pause" }, { "fast_rewind" }, { "fast_forward" }, { "stop" },
    [0x10] = { "move_relative", { "offset", time } },
    [0x20] = { "previous_segment" }, [0x21] = { "next_segment" }, [0x22] = { "first_segment" },
    [0x23] = { "last_segment" }, [0x24] = { "goto_segment", { "number", "i32" } },
    [0x30] = { "previous_track" }, [0x31] = { "next_track" }, [0x32] = { "first_track" }, [0x33] = { "last_track" },
    [0x34] = { "goto_track", { "number", "i32" } },
    [0x40] = { "previous_group" }, [0x41] = { "next_group" }, [0x42] = { "first_group" }, [0x43] = { "last_group" },
    [0x44] = { "goto_group", { "number", "i32" } },
  }),
  ["2ba5"] = codec.bits("u32", {
    "play", "pause", "fast_rewind", "fast_forward", "stop", "move_relative", "previous_segment", "next_segment",
    "first_segment", "last_segment", "goto_segment", "previous_track", "next_track", "first_track", "last_track",
    "goto_track", "previous_group", "next_group", "first_group", "last_group", "goto_group",
  }),
  ["2ba6"] = object, -- search results
  ["2ba7"] = codec.record("search control point", {
    { "length", "u8" },
    { "search_type", enum("u8", {
      "track_name", "artist_name", "album_name", "group_name", "earliest_year", "latest_year", "genre", "tracks_only",
      "groups_only",
    }) },
    { "rest", "bytes" },
  }),
  ["2bba"] = codec.u8, -- content control ID
}
