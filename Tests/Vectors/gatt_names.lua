--- What the expectations' properties are called in our values, where that is another name or another unit.

local codec = require "codec"

local names = {}

--- The property is told by which fields there are: encoded again the value has to give the same bytes.
names.by_layout = {}

local function whole(value) return value end

local function times(name, factor)
  return function(value) return value[name] and value[name] * factor end
end

local function reversed(name)
  return function(value) return codec.decode("hex", codec.encode("hex", value[name]):reverse()) end
end

local everywhere = {
  flags = names.by_layout,
  presence_flags = names.by_layout,
  text = whole, hex = whole,
  date_time = whole, dt = whole,
  op_code = "opcode", operand = "parameter", parameters = "parameter", parameter_data = "parameter",
  cumulative_wheel_revolutions = "wheel_revolutions", last_wheel_event_time = "wheel_time",
  cumulative_crank_revolutions = "crank_revolutions", last_crank_event_time = "crank_time",
  instantaneous_speed = "speed", instantaneous_cadence = "cadence", instantaneous_power = "power",
  instantaneous_stride_length = "stride_length", instantaneous_measurement_direction = "direction",
  is_running = "running", raw_value = "value", e2e_crc = "crc", additional_data = "rest",
  movement_direction_backward = "backward",
  timezone_offset_hours = "time_zone", dst_offset_hours = "dst_offset", fractions256 = times("fraction", 256),
  text_string_information = "text", udi_label = "label",
}

local by_characteristic = {
  ["2a37"] = {
    heart_rate = "bpm", energy_expended = "energy", rr_intervals = "rr",
    sensor_contact_supported = function(value) return value.contact ~= nil end,
    sensor_contact_detected = function(value) return value.contact or false end,
  },
  ["2a01"] = { category_value = "category", subcategory_value = "subcategory" },
  ["2a14"] = { time_accuracy = times("time_accuracy", 8) }, -- theirs is in eighths of a second
  ["2a18"] = { time_offset_minutes = "time_offset" },
  ["2a23"] = { manufacturer_id = reversed "manufacturer_id", oui = reversed "oui" }, -- theirs: the bytes in order
  ["2a34"] = {
    carbohydrate_kg = "carbohydrate", exercise_duration_seconds = "exercise_duration", medication_value = "medication",
    exercise_intensity_percent = "exercise_intensity", hba1c_percent = "hba1c",
  },
  ["2a52"] = { operand = "operand" },
  ["2a9d"] = { height_unit = function(value) return ({ m = "meters", ["in"] = "inches" })[value.height_unit] end },
  ["2a3f"] = { ringer_state = "ringer", vibrate_state = "vibrate", display_alert_status = "display" },
  ["2a4f"] = { scan_interval = times("scan_interval", 1.6), scan_window = times("scan_window", 1.6) }, -- in 0.625 ms
  ["2a66"] = { cumulative_value = "value" },
  ["2aaa"] = { time_zone = times("time_zone", 4), dst_offset = times("dst_offset", 4) }, -- in 15 min
  ["2aab"] = { run_time_hours = "run_time" },
  ["2aac"] = { operand = "operand" },
  ["2aef"] = { min = "minimum", max = "maximum" },
  ["2b90"] = { dt_status = "status" },
  ["2bc4"] = { additional_data = "parameters" },
  ["2bc5"] = { additional_data = "parameters" },
  ["2bda"] = { preset_synchronization_support = "preset_synchronization" },
}

--- A name, a function of the value, by_layout, or nil if the property is called the same.
function names.reading(id, property)
  local own = by_characteristic[id] and by_characteristic[id][property]
  if own then return own end
  return everywhere[property] or property:match "^(.*)_supported$"
end

return names
