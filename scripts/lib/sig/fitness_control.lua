--- Fitness Machine Service, 1826: the control point and the status.

local codec = require "codec"

local scaled = codec.scaled

local speed, incline = scaled("u16", 0.01, "km/h"), scaled("i16", 0.1, "%")
local half_per_minute = scaled("u16", 0.5, "1/min")
local metres = scaled("u24", 1, "m")
local power = scaled("i16", 1, "W")
local seconds = scaled("u16", 1, "s")

local results = codec.enum("u8", {
  "success", "unsupported", "invalid_parameter", "failed", "control_not_permitted",
})
local stop = codec.enum("u8", { "stop", "pause" })
local wind = { "wind_speed", scaled("i16", 0.001, "m/s") }
local grade = { "grade", scaled("i16", 0.01, "%") }
local rolling = { "rolling_resistance", scaled("u8", 0.0001) }
local drag = { "wind_resistance", scaled("u8", 0.01, "kg/m") }
local level = codec.either(scaled("u8", 0.1), scaled("i16", 0.1)) -- version 1.0, and later ones

--- Targets that are set at the control point and told by the status, by their numbers in either.
local function targets(list, first, wording)
  for i, target in ipairs {
    { "speed", speed }, { "inclination", incline }, { "resistance", level }, { "power", power },
    { "heart_rate", scaled("u8", 1, "1/min") },
  } do list[first + i - 1] = { wording:format("target_" .. target[1]), { target[1], target[2] } } end
  return list
end

local function times(...)
  local fields = {}
  for i, zone in ipairs { ... } do fields[i] = { zone .. "_time", seconds } end
  return table.unpack(fields)
end

--- Targets of a training; `first` is the number of the first.
local function trainings(list, first, wording)
  for i, target in ipairs {
    { "energy", { "energy", scaled("u16", 1, "kcal") } },
    { "steps", { "steps", "u16" } },
    { "strides", { "strides", "u16" } },
    { "distance", { "distance", metres } },
    { "time", { "time", seconds } },
    { "time_in_two_zones", times("fat_burn", "fitness") },
    { "time_in_three_zones", times("light", "moderate", "hard") },
    { "time_in_five_zones", times("very_light", "light", "moderate", "hard", "maximum") },
  } do
    target[1] = wording:format("targeted_" .. target[1])
    list[first + i - 1] = target
  end
  return list
end

-- Written after "request_control"; the answer is indicated.
local control_point = trainings(targets({
  [0x00] = { "request_control" },
  [0x01] = { "reset" },
  [0x07] = { "start_or_resume" },
  [0x08] = { "stop_or_pause", { "action", stop } },
  [0x11] = { "set_simulation", wind, grade, rolling, drag },
  [0x12] = { "set_wheel_circumference", { "circumference", scaled("u16", 0.1, "mm") } },
  [0x13] = { "spin_down", { "action", codec.enum("u8", { "start", "ignore" }) } },
  [0x14] = { "set_targeted_cadence", { "cadence", half_per_minute } },
  [0x80] = {
    "response", { "request", "opcode" }, { "result", results }, { "parameter", "bytes", optional = true },
  },
}, 0x02, "set_%s"), 0x09, "set_%s")

local status = trainings(targets({
  [0x01] = { "reset" },
  [0x02] = { "stopped_by_user", { "action", stop, optional = true } },
  [0x03] = { "stopped_by_safety_key" },
  [0x04] = { "started_by_user" },
  [0x12] = { "simulation_changed", wind, grade, rolling, drag },
  [0x13] = { "wheel_circumference_changed", { "circumference", scaled("u16", 0.1, "mm") } },
  [0x14] = { "spin_down", { "state", codec.enum("u8", { "requested", "success", "error", "stop_pedaling" }) } },
  [0x15] = { "targeted_cadence_changed", { "cadence", half_per_minute } },
  [0xff] = { "control_permission_lost" },
}, 0x05, "%s_changed"), 0x0a, "%s_changed")

return {
  ["2ad9"] = codec.command("fitness machine control point", control_point),
  ["2ada"] = codec.command("fitness machine status", status),
}
