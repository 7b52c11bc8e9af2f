--- HID over GATT, 1812, and Scan Parameters, 1813. The report map says what is in reports.

local codec = require "codec"

local ticks = codec.scaled("u16", 0.625, "ms")

return {
  -- HID information. Version 0x0111 is 1.11.
  ["2a4a"] = codec.record("hid information", {
    { "bcd_hid", "u16" },
    { "b_country_code", "u8" },
    { codec.bits("u8", { "remote_wake", "normally_connectable" }) },
  }),
  ["2a4b"] = codec.bytes, -- report map
  ["2a4c"] = codec.enum("u8", { [0] = "suspend", "exit_suspend" }), -- HID control point
  ["2a4d"] = codec.bytes, -- report
  ["2a4e"] = codec.enum("u8", { [0] = "boot", "report" }), -- protocol mode
  ["2a22"] = codec.bytes, -- boot keyboard input report
  ["2a32"] = codec.bits("u8", { "num_lock", "caps_lock", "scroll_lock", "compose", "kana" }), -- boot keyboard output
  ["2a33"] = codec.record("boot mouse input report", {
    { "buttons", codec.bits("u8", { "left", "right", "middle" }) },
    { "x_displacement", "i8" },
    { "y_displacement", "i8" },
    { "rest", "bytes", optional = true },
  }),

  ["2a4f"] = codec.record("scan interval window", { { "scan_interval", ticks }, { "scan_window", ticks } }),
  ["2a31"] = codec.enum("u8", { [0] = "refresh" }), -- scan refresh
}
