--- What stands alone: voice assistants, cooking, shelf labels, HTTP proxy, mesh, ranging.

local codec = require "codec"

local enum, record, scaled, utf8 = codec.enum, codec.record, codec.scaled, codec.utf8

return {
  -- Voice assistant
  ["2c31"] = utf8, -- name
  ["2c35"] = codec.u8, -- session state
  ["2c36"] = codec.u8, -- session flag
  ["2c37"] = utf8, -- supported languages
  ["2c34"] = utf8, -- installed location

  -- Cooking
  ["2c2e"] = scaled("i16", 0.1, "°C"), -- temperature
  ["2c30"] = scaled("u16", 0.001), -- airflow

  -- Emergency
  ["2b2d"] = codec.hex, -- ID
  ["2b2e"] = utf8, -- text

  -- Constant tone extension
  ["2bae"] = scaled("u8", 8, "µs"), -- minimum length
  ["2baf"] = codec.u8, -- minimum transmit count
  ["2bb0"] = scaled("u8", 0.1, "s"), -- transmit duration
  ["2bb1"] = scaled("u16", 1.25, "ms"), -- interval
  ["2bb2"] = enum("u8", { [0] = "1m", "2m" }), -- PHY

  -- Electronic shelf labels
  ["2bf6"] = codec.bits("u16", { { "esl_id", 8 }, { "group_id", 7 } }), -- address
  ["2bf7"] = codec.hex, -- key material of the access point
  ["2bf8"] = codec.hex, -- key material of responses

  -- Bonds
  ["2aa4"] = record("bond management control point", { { "opcode", "u8" }, { "operand", "bytes" } }),
  ["2aa5"] = codec.bytes, -- bond management feature

  -- HTTP proxy
  ["2ab6"] = utf8, -- URI
  ["2ab7"] = codec.bytes, -- headers
  ["2ab8"] = record("http status code", {
    { "status_code", "u16" },
    { "data_status", codec.bits("u8", {
      "headers_received", "headers_truncated", "body_received", "body_truncated",
    }) },
  }),
  ["2ab9"] = codec.bytes, -- entity body
  ["2aba"] = enum("u8", {
    "http_get", "http_head", "http_post", "http_put", "http_delete", "https_get", "https_head", "https_post",
    "https_put", "https_delete", "cancel",
  }),
  ["2abb"] = codec.bool, -- HTTPS security

  -- Mesh
  ["2adb"] = codec.bytes, -- provisioning data in
  ["2adc"] = codec.bytes, -- provisioning data out
  ["2add"] = codec.bytes, -- proxy data in
  ["2ade"] = codec.bytes, -- proxy data out

  -- Ranging
  ["2c14"] = codec.bits("u32", { "real_time_data", "retrieve_lost_segments", "abort", "filter" }),
  ["2c15"] = codec.bytes, -- real-time data
  ["2c16"] = codec.bytes, -- on-demand data
  ["2c18"] = codec.u16, -- counter of the data that are ready
  ["2c19"] = codec.u16, -- counter of the data that were overwritten
}
