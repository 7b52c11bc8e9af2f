--- Physical Activity Monitor Service, 183e. The fields of its flags are left as bytes.

local codec = require "codec"

local record = codec.record

local function summary(name, flags)
  return record(name, {
    { "header", "u8" }, { "presence", flags },
    { "session_id", "u16" }, { "sub_session_id", "u16" }, { "relative_timestamp", codec.scaled("u32", 1, "s") },
    { "sequence_number", "u32" }, { "rest", "bytes" },
  })
end

return {
  ["2b3d"] = summary("general activity summary data", "u32"),
  ["2b40"] = summary("step counter activity summary data", "u8"),
  ["2b43"] = record("physical activity monitor control point", { { "opcode", "u8" }, { "parameter", "bytes" } }),
}
