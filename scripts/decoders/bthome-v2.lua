--- BTHome v2: objects of one byte of id and a value, plain or encrypted.

-- Id, name, format, scale, unit. A format "?" is a byte that is true unless it is 0.
local objects = {
  { 0x00, "packet_id", "<I1" },
  { 0x01, "battery", "<I1", 1, "%" },
  { 0x02, "temperature", "<i2", 0.01, "°C" },
  { 0x03, "humidity", "<I2", 0.01, "%" },
  { 0x04, "pressure", "<I3", 0.01, "hPa" },
  { 0x05, "illuminance", "<I3", 0.01, "lx" },
  { 0x06, "weight", "<I2", 0.01, weight = "kg" },
  { 0x07, "weight", "<I2", 0.01, weight = "lb" },
  { 0x08, "dew_point", "<i2", 0.01, "°C" },
  { 0x09, "count", "<I1" },
  { 0x0a, "energy", "<I3", 0.001, "kWh" },
  { 0x0b, "power", "<I3", 0.01, "W" },
  { 0x0c, "voltage", "<I2", 0.001, "V" },
  { 0x0d, "pm25", "<I2", 1, "µg/m³" },
  { 0x0e, "pm10", "<I2", 1, "µg/m³" },
  { 0x0f, "generic", "?" },
  { 0x10, "power_on", "?" },
  { 0x11, "opening", "?" },
  { 0x12, "co2", "<I2", 1, "ppm" },
  { 0x13, "tvoc", "<I2", 1, "µg/m³" },
  { 0x14, "moisture", "<I2", 0.01, "%" },
  { 0x15, "battery_low", "?" },
  { 0x16, "battery_charging", "?" },
  { 0x17, "carbon_monoxide", "?" },
  { 0x18, "cold", "?" },
  { 0x19, "connectivity", "?" },
  { 0x1a, "door", "?" },
  { 0x1b, "garage_door", "?" },
  { 0x1c, "gas_detected", "?" },
  { 0x1d, "heat", "?" },
  { 0x1e, "light", "?" },
  { 0x1f, "lock", "?" },
  { 0x20, "moisture_detected", "?" },
  { 0x21, "motion", "?" },
  { 0x22, "moving", "?" },
  { 0x23, "occupancy", "?" },
  { 0x24, "plug", "?" },
  { 0x25, "presence", "?" },
  { 0x26, "problem", "?" },
  { 0x27, "running", "?" },
  { 0x28, "safety", "?" },
  { 0x29, "smoke", "?" },
  { 0x2a, "sound", "?" },
  { 0x2b, "tamper", "?" },
  { 0x2c, "vibration", "?" },
  { 0x2d, "window", "?" },
  { 0x2e, "humidity", "<I1", 1, "%" },
  { 0x2f, "moisture", "<I1", 1, "%" },
  { 0x3d, "count", "<I2" },
  { 0x3e, "count", "<I4" },
  { 0x3f, "rotation", "<i2", 0.1, "°" },
  { 0x40, "distance_mm", "<I2", 1, "mm" },
  { 0x41, "distance", "<I2", 0.1, "m" },
  { 0x42, "duration", "<I3", 0.001, "s" },
  { 0x43, "current", "<I2", 0.001, "A" },
  { 0x44, "speed", "<I2", 0.01, "m/s" },
  { 0x45, "temperature", "<i2", 0.1, "°C" },
  { 0x46, "uv_index", "<I1", 0.1 },
  { 0x47, "volume", "<I2", 0.1, "L" },
  { 0x48, "volume", "<I2", 0.001, "L" },
  { 0x49, "volume_flow_rate", "<I2", 0.001, "m³/h" },
  { 0x4a, "voltage", "<I2", 0.1, "V" },
  { 0x4b, "gas", "<I3", 0.001, "m³" },
  { 0x4c, "gas", "<I4", 0.001, "m³" },
  { 0x4d, "energy", "<I4", 0.001, "kWh" },
  { 0x4e, "volume", "<I4", 0.001, "L" },
  { 0x4f, "water", "<I4", 0.001, "L" },
  { 0x51, "acceleration", "<I2", 0.001, "m/s²" },
  { 0x52, "gyroscope", "<I2", 0.001, "°/s" },
  { 0x55, "volume_storage", "<I4", 0.001, "L" },
  { 0x56, "conductivity", "<I2", 1, "µS/cm" },
  { 0x57, "temperature", "<i1", 1, "°C" },
  { 0x58, "temperature", "<i1", 0.35, "°C" },
  { 0x59, "count", "<i1" },
  { 0x5a, "count", "<i2" },
  { 0x5b, "count", "<i4" },
  { 0x5c, "power", "<i4", 0.01, "W" },
  { 0x5d, "current", "<i2", 0.001, "A" },
  { 0x5e, "direction", "<I2", 0.01, "°" },
  { 0x5f, "precipitation", "<I2", 0.1, "mm" },
  { 0x60, "channel", "<I1" },
  { 0x61, "rotational_speed", "<I2", 1, "rpm" },
  { 0x62, "speed", "<i4", 0.000001, "m/s" },
  { 0x63, "acceleration", "<i4", 0.000001, "m/s²" },
}

local presses = { "press", "double_press", "triple_press", "long_press", "long_double_press", "long_triple_press" }
presses[0x80] = "hold_press"
local turns = { "rotate_left", "rotate_right" }

-- Days of the Gregorian calendar since 1970, in eras of 400 years that begin with March.
local function date(days)
  local day = days + 719468
  local era = day // 146097
  local of_era = day - era * 146097
  local year = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
  local of_year = of_era - (365 * year + year // 4 - year // 100)
  local month = (5 * of_year + 2) // 153
  return era * 400 + year + (month >= 10 and 1 or 0), month < 10 and month + 3 or month - 9,
    of_year - (153 * month + 2) // 5 + 1
end

local function iso(seconds)
  local year, month, day = date(seconds // 86400)
  local rest = seconds % 86400
  return ("%04d-%02d-%02dT%02d:%02d:%02d+00:00"):format(year, month, day, rest // 3600, rest // 60 % 60, rest % 60)
end

-- By id: what takes the bytes at a place, and gives name, value and where the next object begins.
local readers = {}

for _, object in ipairs(objects) do
  local id, name, format, scale = table.unpack(object, 1, 4)
  local size = format == "?" and 1 or string.packsize(format)
  readers[id] = function(bytes, at)
    if at + size - 1 > #bytes then return nil end
    if format == "?" then return name, bytes:byte(at) ~= 0, at + 1 end
    local value = string.unpack(format, bytes, at)
    return name, scale and value * scale or value, at + size, object.weight
  end
end

readers[0x3a] = function(bytes, at)
  if at > #bytes then return nil end
  return "event_button", presses[bytes:byte(at)], at + 1
end

readers[0x3c] = function(bytes, at)
  if at + 1 > #bytes then return nil end
  local turn, steps = bytes:byte(at, at + 1)
  return "event_dimmer", turns[turn], at + 2, turns[turn] and steps
end

readers[0x50] = function(bytes, at)
  if at + 3 > #bytes then return nil end
  return "timestamp", iso(string.unpack("<I4", bytes, at)), at + 4
end

local function counted(name, convert)
  return function(bytes, at)
    local length = bytes:byte(at)
    if not length or at + length > #bytes then return nil end
    return name, convert(bytes:sub(at + 1, at + length)), at + 1 + length
  end
end

readers[0x53] = counted("text", function(bytes) return utf8.len(bytes) and bytes or codec.decode("hex", bytes) end)
readers[0x54] = counted("raw", function(bytes) return codec.decode("hex", bytes) end)

-- What belongs to a value beside it.
local companions = { weight = "weight_unit", event_dimmer = "event_dimmer_steps" }

--- The objects in their order. One of an unknown id ends them: its length is not known.
local function read(bytes)
  local found, times, at = {}, {}, 1
  while at <= #bytes do
    local reader = readers[bytes:byte(at)]
    if not reader then break end
    local name, value, after, more = reader(bytes, at + 1)
    if not name then break end
    times[name] = (times[name] or 0) + 1
    found[#found + 1] = { name = name, value = value, more = more, number = times[name] }
    at = after
  end
  return found, times
end

--- Several of one kind are numbered: temperature_1, temperature_2.
local function reading(bytes)
  local found, times = read(bytes)
  if #found == 0 then return nil end
  local result = {}
  for _, object in ipairs(found) do
    local suffix = times[object.name] > 1 and "_" .. object.number or ""
    result[object.name .. suffix] = object.value
    if object.more then result[companions[object.name] .. suffix] = object.more end
  end
  return result
end

local fields = {}

local function declare(name, field)
  fields[name] = field
  for i = 1, 16 do fields[name .. "_" .. i] = field end
end

for _, object in ipairs(objects) do
  declare(object[2], object[3] == "?" and { type = "boolean" } or { unit = object[5] })
end
for _, name in ipairs { "weight_unit", "event_button", "event_dimmer", "timestamp", "text", "raw" } do
  declare(name, { type = "string" })
end
declare("event_dimmer_steps", {})

local ENCRYPTED <const>, HAS_ADDRESS <const> = 0x01, 0x02

--- Nonce: address, UUID, the first byte, the counter.
local function open(payload, flags, at, address, key)
  local sealed = payload:sub(at)
  if #sealed < 9 then return nil end
  if not key then return nil, "key_required" end
  local counter, tag = sealed:sub(-8, -5), sealed:sub(-4)
  local plain = crypto.ccm_open {
    key = key, nonce = address .. "\xd2\xfc" .. string.char(flags) .. counter, data = sealed:sub(1, -9), tag = tag,
  }
  if not plain then return nil, "decrypt_failed" end
  return plain
end

return {
  meta = {
    name = "bthome-v2", version = "1.0.0", license = "MIT", models = { "BTHome sensor" },
    spec = { "https://bthome.io/format" },
  },
  match = { { id = "v2", service_data = "fcd2" } },
  fields = fields,
  key = { name = "bindkey", bytes = 16, per = "address" },
  decode = function(payload, ctx)
    local flags = payload:byte(1)
    if not flags or flags >> 5 ~= 2 then return nil end
    local address, at = ctx.address, 2
    if flags & HAS_ADDRESS ~= 0 then
      if #payload < 7 then return nil end
      address, at = payload:sub(2, 7):reverse(), 8
    end
    if flags & ENCRYPTED == 0 then return reading(payload:sub(at)) end
    local plain, reason = open(payload, flags, at, address, ctx.key)
    if not plain then return nil, reason end
    return reading(plain)
  end,
  tests = {
    {
      service_data = { fcd2 = "4000100101024009038612" },
      expect = { packet_id = 16, battery = 1, temperature = 23.68, humidity = 47.42 },
    },
    { service_data = { fcd2 = "4450cd396164" }, expect = { timestamp = "2023-05-14T19:43:09+00:00" } },
    {
      service_data = { fcd2 = "4400db01643a173a003a013a00" },
      expect = { packet_id = 219, battery = 100, event_button_3 = "press" },
    },
    {
      address = "54:48:E6:8F:80:A5", service_data = { fcd2 = "41cef9ca04b78b664f32ca4d461875f368843c" },
      key = "f2027fcff47734cfb574ab4b3087a66c",
      expect = { packet_id = 113, battery = 46, temperature = 36.8, humidity = 80.18 },
    },
    {
      address = "54:48:E6:8F:80:A5", service_data = { fcd2 = "41cef9ca04b78b664f32ca4d461875f368843c" },
      key = "f2027fcff47734cfb574ab4b3087a66d", error = "decrypt_failed",
    },
    {
      address = "54:48:E6:8F:80:A5", service_data = { fcd2 = "41cef9ca04b78b664f32ca4d461875f368843c" },
      error = "key_required",
    },
    { service_data = { fcd2 = "20020102" }, error = "nobody" },
  },
}
