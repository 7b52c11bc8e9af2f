--- Object Transfer Service, 1825.

local codec = require "codec"
local date_time = require "sig.date_time"

return {
  ["2abd"] = codec.record("ots feature", { { "oacp_features", "u32" }, { "olcp_features", "u32" } }),
  ["2abe"] = codec.utf8, -- name
  ["2abf"] = codec.uuid, -- type
  ["2ac0"] = codec.record("object size", { { "current", "u32" }, { "allocated", "u32" } }),
  ["2ac1"] = date_time, -- first created
  ["2ac2"] = date_time, -- last modified
  ["2ac3"] = codec.u48, -- ID
  ["2ac4"] = codec.bits("u32", { "delete", "execute", "read", "write", "append", "truncate", "patch", "mark" }),
  ["2ac5"] = codec.command("object action control point", {
    { "create", { "size", "u32" }, { "type", "uuid" } },
    { "delete" },
    { "checksum", { "offset", "u32" }, { "length", "u32" } },
    { "execute", { "parameter", "bytes", optional = true } },
    { "read", { "offset", "u32" }, { "length", "u32" } },
    { "write", { "offset", "u32" }, { "length", "u32" }, { "mode", "u8" } },
    { "abort" },
    [0x60] = { "response", { "request", "opcode" }, { "result", "u8" }, { "parameter", "bytes", optional = true } },
  }),
  ["2ac6"] = codec.command("object list control point", {
    { "first" }, { "last" }, { "previous" }, { "next" },
    { "go_to", { "object_id", "u48" } },
    { "order", { "order", "u8" } },
    { "request_number_of_objects" },
    { "clear_marking" },
    [0x70] = { "response", { "request", "opcode" }, { "result", "u8" }, { "parameter", "bytes", optional = true } },
  }),
  ["2ac8"] = codec.record("object changed", {
    { flags = "u8" },
    { "by_client", bit = 0 }, { "contents_changed", bit = 1 }, { "metadata_changed", bit = 2 },
    { "created", bit = 3 }, { "deleted", bit = 4 },
    { "object_id", "u48" },
  }),
}
