--- Telephone Bearer Service, 184b.

local codec = require "codec"

local enum, record, utf8 = codec.enum, codec.record, codec.utf8

local call_flags = codec.bits("u8", { "outgoing", "withheld_by_server", "withheld_by_network" })
local call_state = enum("u8", {
  [0] = "incoming", "dialing", "alerting", "active", "locally_held", "remotely_held", "locally_and_remotely_held",
})

local function call_with(name, field)
  return record(name, { { "call_index", "u8" }, { field, utf8 } })
end

return {
  ["2bb3"] = utf8, -- provider name
  ["2bb4"] = utf8, -- uniform caller identifier
  ["2bb5"] = enum("u8", { "3g", "4g", "lte", "wifi", "5g", "gsm", "cdma", "2g", "wcdma" }), -- technology
  ["2bb6"] = utf8, -- supported URI schemes
  ["2bb7"] = codec.scaled("u8", 1, "%", 0xff), -- signal strength
  ["2bb8"] = codec.scaled("u8", 1, "s"), -- signal strength reporting interval; 0: at each change
  ["2bb9"] = codec.bytes, -- list of the calls; each starts with its length
  ["2bbb"] = codec.bits("u16", { "inband_ringtone", "silent_mode" }), -- status flags
  ["2bbc"] = call_with("incoming call target", "uri"),
  ["2bbd"] = codec.list(record("call", { { "call_index", "u8" }, { "state", call_state }, { "flags", call_flags } })),
  ["2bbe"] = codec.command("call control point", {
    [0] = { "accept", { "call_index", "u8" } },
    { "terminate", { "call_index", "u8" } },
    { "local_hold", { "call_index", "u8" } },
    { "local_retrieve", { "call_index", "u8" } },
    { "originate", { "uri", "utf8" } },
    { "join", { "call_indexes", codec.list "u8" } },
  }),
  ["2bbf"] = codec.bits("u16", { "local_hold", "join" }), -- optional operations
  ["2bc0"] = record("termination reason", {
    { "call_index", "u8" },
    { "reason", enum("u8", {
      [0] = "bad_uri", "failed", "ended_by_remote", "ended_by_server", "line_busy", "network_congestion",
      "ended_by_client", "no_service", "no_answer", "unspecified",
    }) },
  }),
  ["2bc1"] = call_with("incoming call", "uri"),
  ["2bc2"] = call_with("call friendly name", "friendly_name"),
}
