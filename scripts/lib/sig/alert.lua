--- Alert Notification Service, 1811, and Phone Alert Status Service, 180e. The alert level is in sig.device.

local codec = require "codec"

local record = codec.record

local category = codec.enum("u8", {
  [0] = "simple_alert", "email", "news", "call", "missed_call", "sms", "voice_mail", "schedule", "high_priority",
  "instant_message", [255] = "all",
})

local categories = codec.bits("u16", {
  "simple_alert", "email", "news", "call", "missed_call", "sms", "voice_mail", "schedule", "high_priority",
  "instant_message",
})

return {
  ["2a3f"] = codec.bits("u8", { "ringer", "vibrate", "display" }), -- alert status
  ["2a40"] = codec.enum("u8", { "silent", "mute_once", "cancel_silent" }), -- ringer control point
  ["2a41"] = codec.enum("u8", { [0] = "silent", "normal" }), -- ringer setting
  ["2a43"] = category,
  ["2a42"] = categories, -- alert category ID bit mask
  ["2a44"] = record("alert notification control point", {
    { "command_id", codec.enum("u8", {
      [0] = "enable_new", "enable_unread", "disable_new", "disable_unread", "notify_new", "notify_unread",
    }) },
    { "category_id", category },
  }),
  ["2a45"] = record("unread alert status", { { "category_id", category }, { "unread_count", "u8" } }),
  ["2a46"] = record("new alert", {
    { "category_id", category }, { "number_of_new_alert", "u8" }, { "text", "utf8", optional = true },
  }),
  ["2a47"] = categories, -- supported new alert category
  ["2a48"] = categories, -- supported unread alert category
}
