--- Thermometers with the firmware of ATC1441 or of pvvx: what they send in the clear.

-- Big-endian: address, tenths of a degree, humidity, battery, millivolts, counter.
local function atc1441(payload)
  local temperature, humidity, battery, voltage, counter = string.unpack(">i2BBI2B", payload, 7)
  return {
    temperature = temperature / 10, humidity = humidity, battery = battery, voltage = voltage / 1000,
    packet_id = counter,
  }
end

-- Bit 0: the reed switch is open; bit 1: the output.
local function with_flags(reading, flags)
  reading.opening = flags & 1 ~= 0
  reading.switch = flags & 2 ~= 0
  return reading
end

-- Little-endian: address, hundredths of a degree and of a percent, millivolts, battery, counter, flags.
local function pvvx(payload)
  local temperature, humidity, voltage, battery, counter, flags = string.unpack("<i2I2I2BBB", payload, 7)
  return with_flags({
    temperature = temperature / 100, humidity = humidity / 100, voltage = voltage / 1000, battery = battery,
    packet_id = counter,
  }, flags)
end

-- The same without address, voltage and counter.
local function pvvx_short(payload)
  local temperature, humidity, battery, flags = string.unpack("<i2I2BB", payload)
  return with_flags({ temperature = temperature / 100, humidity = humidity / 100, battery = battery }, flags)
end

local rules = { atc1441 = atc1441, pvvx = pvvx, short = pvvx_short }

return {
  meta = {
    name = "atc-pvvx", version = "1.0.0", license = "MIT", models = { "ATC1441 firmware", "pvvx firmware" },
    spec = { "https://github.com/pvvx/ATC_MiThermometer", "https://github.com/atc1441/ATC_MiThermometer" },
  },
  match = {
    { id = "atc1441", service_data = "181a", len = 13, model = "ATC1441 firmware" },
    { id = "pvvx", service_data = "181a", len = 15, model = "pvvx firmware" },
    { id = "short", service_data = "181a", len = 6, model = "pvvx firmware" },
  },
  fields = {
    temperature = { unit = "°C", class = "temperature" },
    humidity = { unit = "%", class = "humidity" },
    battery = { unit = "%", class = "battery" },
    voltage = { unit = "V", class = "voltage", digits = 3 },
    packet_id = { kind = "counter", bits = 8 },
    opening = { type = "boolean" }, switch = { type = "boolean" },
  },
  decode = function(payload, ctx) return rules[ctx.rule](payload) end,
  tests = {
    {
      service_data = { ["181a"] = "a4c138d5d498ffd33e510b2462" },
      expect = { temperature = -4.5, humidity = 62, battery = 81, voltage = 2.852, model = "ATC1441 firmware" },
    },
    {
      -- By the layout above.
      service_data = { ["181a"] = "563412a4c138f6ff1027b80b640507" },
      expect = {
        temperature = -0.1, humidity = 100, voltage = 3, battery = 100, packet_id = 5, opening = true, switch = true,
      },
    },
    { service_data = { ["181a"] = "9c094e116404" }, expect = { temperature = 24.6, humidity = 44.3, battery = 100 } },
    { service_data = { ["181a"] = "9c094e1164" }, error = "nobody" },
  },
}
