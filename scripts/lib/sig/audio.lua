--- LE Audio: volume, inputs, microphones, sets, streams and broadcasts.

local codec = require "codec"

local enum, record = codec.enum, codec.record

local mute = enum("u8", { [0] = "not_muted", "muted", "disabled" })

local locations = codec.bits("u32", {
  "front_left", "front_right", "front_center", "low_frequency_1", "back_left", "back_right", "front_left_of_center",
  "front_right_of_center", "back_center", "low_frequency_2", "side_left", "side_right", "top_front_left",
  "top_front_right", "top_front_center", "top_center", "top_back_left", "top_back_right", "top_side_left",
  "top_side_right", "top_back_center", "bottom_front_center", "bottom_front_left", "bottom_front_right",
  "front_left_wide", "front_right_wide", "left_surround", "right_surround",
})

local contexts = codec.bits("u16", {
  "unspecified", "conversational", "media", "game", "instructional", "voice_assistants", "live", "sound_effects",
  "notifications", "ringtone", "alerts", "emergency_alarm",
})

local both_contexts = record("audio contexts", {
  { "sink_audio_contexts", contexts }, { "source_audio_contexts", contexts },
})

local stream = record("ase", { -- audio stream endpoint
  { "ase_id", "u8" },
  { "ase_state", enum("u8", {
    [0] = "idle", "codec_configured", "qos_configured", "enabling", "streaming", "disabling", "releasing",
  }) },
  { "parameters", "bytes" }, -- as the state has it
})

return {
  -- Volume
  ["2b7d"] = record("volume state", { { "volume_setting", "u8" }, { "mute", mute }, { "change_counter", "u8" } }),
  ["2b7e"] = codec.command("volume control point", {
    [0] = { "volume_down", { "change_counter", "u8" } },
    { "volume_up", { "change_counter", "u8" } },
    { "unmute_volume_down", { "change_counter", "u8" } },
    { "unmute_volume_up", { "change_counter", "u8" } },
    { "set_volume", { "change_counter", "u8" }, { "volume_setting", "u8" } },
    { "unmute", { "change_counter", "u8" } },
    { "mute", { "change_counter", "u8" } },
  }),
  ["2b7f"] = codec.bits("u8", { "volume_setting_persisted" }),

  -- Volume offset
  ["2b80"] = record("volume offset state", { { "volume_offset", "i16" }, { "change_counter", "u8" } }),
  ["2b81"] = locations,
  ["2b82"] = codec.command("volume offset control point", {
    { "set_volume_offset", { "change_counter", "u8" }, { "volume_offset", "i16" } },
  }),
  ["2b83"] = codec.utf8, -- output description

  -- Audio inputs
  ["2b77"] = record("audio input state", {
    { "gain_setting", "i8" }, { "mute", mute },
    { "gain_mode", enum("u8", { [0] = "manual_only", "automatic_only", "manual", "automatic" }) },
    { "change_counter", "u8" },
  }),
  ["2b78"] = record("gain settings attribute", { -- the units are tenths of a decibel
    { "gain_setting_units", "u8" }, { "gain_setting_minimum", "i8" }, { "gain_setting_maximum", "i8" },
  }),
  ["2b79"] = enum("u8", {
    [0] = "unspecified", "bluetooth", "microphone", "analog", "digital", "radio", "streaming", "ambient",
  }), -- input type
  ["2b7a"] = enum("u8", { [0] = "inactive", "active" }),
  ["2b7b"] = codec.command("audio input control point", {
    { "set_gain", { "change_counter", "u8" }, { "gain_setting", "i8" } },
    { "unmute", { "change_counter", "u8" } },
    { "mute", { "change_counter", "u8" } },
    { "set_manual_gain_mode", { "change_counter", "u8" } },
    { "set_automatic_gain_mode", { "change_counter", "u8" } },
  }),
  ["2b7c"] = codec.utf8, -- input description

  -- Microphone
  ["2bc3"] = mute,

  -- Coordinated sets
  ["2b84"] = record("set identity resolving key", {
    { "sirk_type", enum("u8", { [0] = "encrypted", "plain" }) }, { "value", codec.hex },
  }),
  ["2b85"] = codec.u8, -- size of the set
  ["2b86"] = enum("u8", { "unlocked", "locked" }), -- set member lock
  ["2b87"] = codec.u8, -- rank in the set
  ["2c1a"] = codec.utf8, -- name of the set

  -- Streams
  ["2bc4"] = stream, -- sink
  ["2bc5"] = stream, -- source
  ["2bc6"] = record("ase control point", {
    { "opcode", enum("u8", {
      "configure_codec", "configure_qos", "enable", "receiver_start_ready", "disable", "receiver_stop_ready",
      "update_metadata", "release",
    }) },
    { "number_of_ases", "u8" },
    { "parameter", "bytes" },
  }),
  ["2bca"] = locations, -- sink
  ["2bcc"] = locations, -- source
  ["2bcd"] = both_contexts, -- available
  ["2bce"] = both_contexts, -- supported
  ["2bc9"] = codec.bytes, -- sink PAC
  ["2bcb"] = codec.bytes, -- source PAC

  -- Broadcasts
  ["2bc7"] = codec.command("broadcast audio scan control point", {
    [0] = { "remote_scan_stopped" }, { "remote_scan_started" },
  }),
  ["2bda"] = codec.bits("u8", { -- hearing aid features
    { "hearing_aid_type", 2, { [0] = "binaural", "monaural", "banded" } },
    "preset_synchronization", "independent_presets", "dynamic_presets", "writable_presets",
  }),

  -- Gaming and public broadcast roles
  ["2c01"] = codec.bits("u8", { "multiplex", "source_96_kbps", "multisink" }), -- UGG
  ["2c02"] = codec.bits("u8", {
    "source", "source_80_kbps", "sink", "sink_64_kbps", "multiplex", "multisink", "multisource",
  }), -- UGT
  ["2c03"] = codec.bits("u8", { "multisink", "multiplex" }), -- BGS
}
