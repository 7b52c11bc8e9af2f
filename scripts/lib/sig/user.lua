--- User Data Service, 181c: what a device knows about its user. To be read and written.

local codec = require "codec"

local record, scaled = codec.record, codec.scaled

local beats = scaled("u8", 1, "1/min")
local date_time = require "sig.date_time"

local function limits(...)
  local fields = {}
  for i, name in ipairs { ... } do fields[i] = { name .. "_limit", beats } end
  return record("heart rate limits", fields)
end

--- Year, month and day of a date and time.
local birthday = record("date of birth", { date_time.fields.year, date_time.fields.month, date_time.fields.day })

return {
  ["2a7e"] = beats, -- aerobic heart rate lower limit
  ["2a84"] = beats, -- aerobic heart rate upper limit
  ["2a7f"] = beats, -- aerobic threshold
  ["2a81"] = beats, -- anaerobic heart rate lower limit
  ["2a82"] = beats, -- anaerobic heart rate upper limit
  ["2a83"] = beats, -- anaerobic threshold
  ["2a88"] = beats, -- fat burn heart rate lower limit
  ["2a89"] = beats, -- fat burn heart rate upper limit
  ["2a8d"] = beats, -- heart rate max
  ["2a92"] = beats, -- resting heart rate
  ["2a95"] = beats, -- two zone heart rate limit
  ["2a94"] = limits("light_moderate", "moderate_hard"),
  ["2b4c"] = limits("light_moderate", "moderate_hard", "hard_maximum"),
  ["2a8b"] = limits("very_light_light", "light_moderate", "moderate_hard", "hard_maximum"),

  ["2a80"] = scaled("u8", 1, "years"),      -- age
  ["2a85"] = birthday,
  ["2a86"] = birthday,                      -- date of threshold assessment
  ["2a87"] = codec.utf8,                    -- email address
  ["2a8a"] = codec.utf8,                    -- first name
  ["2a90"] = codec.utf8,                    -- last name
  ["2b48"] = codec.utf8,                    -- middle name
  ["2a8c"] = codec.enum("u8", { [0] = "male", "female", "unspecified" }),
  ["2a8e"] = scaled("u16", 0.01, "m"),      -- height
  ["2a8f"] = scaled("u16", 0.01, "m"),      -- hip circumference
  ["2a97"] = scaled("u16", 0.01, "m"),      -- waist circumference
  ["2a98"] = scaled("u16", 0.005, "kg"),    -- weight
  ["2a91"] = beats,                         -- maximum recommended heart rate
  ["2a93"] = codec.enum("u8", { -- sport type for the thresholds
    [0] = "unspecified", "running", "cycling", "rowing", "cross_training", "climbing", "skiing", "skating",
    "arm_exercising", "lower_body", "upper_body", "whole_body",
  }),
  ["2a96"] = scaled("u8", 1, "mL/(kg min)"), -- VO2 max
  ["2a99"] = codec.u32,                     -- database change increment
  ["2a9a"] = scaled("u8", 1, nil, 255),     -- user index; nil: unknown user
  ["2b49"] = scaled("u16", 1, "mm"),        -- stride length
  ["2b4a"] = codec.enum("u8", { [0] = "left_handed", "right_handed", "ambidextrous", "unspecified" }),
  ["2b4f"] = scaled("u16", 1, "min"),       -- sedentary interval notification

  ["2a9f"] = codec.command("user control point", {
    { "register_user", { "consent_code", "u16", optional = true } },
    { "consent", { "user_index", "u8" }, { "consent_code", "u16" } },
    { "delete_user_data" },
    { "list_users" },
    { "delete_users", { "user_index", "u8" } },
    [0x20] = {
      "response", { "request", "opcode" },
      { "result", codec.enum("u8", { "success", "unsupported", "invalid_parameter", "failed", "not_authorized" }) },
      { "parameter", "bytes", optional = true },
    },
  }),
}
