--- RuuviTag and Ruuvi Air.

local G <const> = 0.00980665 -- m/s² for a thousandth of g

local function unless(value, nothing, scale, offset)
  if value == nothing then return nil end
  return value * scale + (offset or 0)
end

local function accelerations(x, y, z, nothing)
  if x == nothing or y == nothing or z == nothing then return nil, nil, nil, nil end
  return x * G, y * G, z * G, math.sqrt(x * x + y * y + z * z) * G
end

local rules = {}

local digits = {} -- of base 64, in both spellings
for i = 0, 25 do digits[0x41 + i], digits[0x61 + i] = i, 26 + i end
for i = 0, 9 do digits[0x30 + i] = 52 + i end
digits[0x2b], digits[0x2d], digits[0x2f], digits[0x5f] = 62, 62, 63, 63

local function temperature_of(whole, hundredths)
  local temperature = (whole & 0x7f) + hundredths / 100
  return whole & 0x80 ~= 0 and -temperature or temperature
end

-- Data formats 2 and 4: six bytes in base 64 at the end of the address of an Eddystone frame; what follows is an id.
function rules.url(payload)
  local bits = 0
  for i = 1, 8 do
    local digit = digits[payload:byte(11 + i)]
    if not digit then return nil end
    bits = bits << 6 | digit
  end
  local format, humidity, whole, hundredths, pressure = string.unpack(">BBBBI2", string.pack(">I6", bits))
  if format ~= 2 and format ~= 4 then return nil end
  return {
    temperature = temperature_of(whole, hundredths), humidity = humidity / 2, pressure = (pressure + 50000) / 100,
  }
end

-- Data format 3: the sign of the temperature is a bit, its hundredths a byte of their own.
function rules.df3(payload)
  local humidity, whole, hundredths, pressure, x, y, z, voltage = string.unpack(">BBBI2i2i2i2I2", payload, 2)
  local ax, ay, az, total = accelerations(x, y, z)
  return {
    temperature = temperature_of(whole, hundredths), humidity = humidity / 2,
    pressure = (pressure + 50000) / 100, voltage = voltage / 1000,
    acceleration_x = ax, acceleration_y = ay, acceleration_z = az, acceleration_total = total,
  }
end

-- Data format 5 (RAWv2)
function rules.df5(payload)
  local temperature, humidity, pressure, x, y, z, power, movements, sequence =
    string.unpack(">i2I2I2i2i2i2I2BI2", payload, 2)
  local ax, ay, az, total = accelerations(x, y, z, -32768)
  return {
    temperature = unless(temperature, -32768, 0.005), humidity = unless(humidity, 65535, 0.0025),
    pressure = unless(pressure, 65535, 0.01, 500),
    acceleration_x = ax, acceleration_y = ay, acceleration_z = az, acceleration_total = total,
    voltage = unless(power >> 5, 2047, 0.001, 1.6), tx_power = unless(power & 31, 31, 2, -40),
    movement_counter = unless(movements, 255, 1), sequence_number = unless(sequence, 65535, 1),
  }
end

-- Ruuvi's indoor air quality score: how far PM2.5 (0 to 60 µg/m³) and CO2 (420 to 2300 ppm) are from their best.
local function air_quality(pm25, co2)
  if not pm25 or not co2 then return nil end
  local particles = math.max(0, math.min(pm25, 60)) * 100 / 60
  local gas = (math.max(420, math.min(co2, 2300)) - 420) * 100 / (2300 - 420)
  return math.floor(math.max(0, math.min(100, 100 - math.sqrt(particles * particles + gas * gas))) + 0.5)
end

-- Data format 6: the illuminance is logarithmic, VOC and NOX have their ninth bit in the flags.
function rules.df6(payload)
  local temperature, humidity, pressure, pm25, co2, voc, nox, light, _, sequence, flags =
    string.unpack(">i2I2I2I2I2BBBBBB", payload, 2)
  voc, nox = voc << 1 | flags >> 6 & 1, nox << 1 | flags >> 7
  local reading = {
    temperature = unless(temperature, -32768, 0.005), humidity = unless(humidity, 65535, 0.0025),
    pressure = unless(pressure, 65535, 0.01, 500), pm25 = unless(pm25, 65535, 0.1), co2 = unless(co2, 65535, 1),
    voc_index = unless(voc, 511, 1), nox_index = unless(nox, 511, 1),
    illuminance = light ~= 255 and math.exp(light * math.log(65536) / 254) - 1 or nil, sequence_number = sequence,
  }
  reading.iaqs = air_quality(reading.pm25, reading.co2)
  return reading
end

-- Data format E1
function rules.e1(payload)
  local temperature, humidity, pressure, pm1, pm25, pm4, pm10, co2, voc, nox, light, _, _, _, sequence, flags =
    string.unpack(">i2I2I2I2I2I2I2I2BBI3BBBI3B", payload, 2)
  voc, nox = voc << 1 | flags >> 6 & 1, nox << 1 | flags >> 7
  local reading = {
    temperature = unless(temperature, -32768, 0.005), humidity = unless(humidity, 65535, 0.0025),
    pressure = unless(pressure, 65535, 0.01, 500), pm1 = unless(pm1, 65535, 0.1), pm25 = unless(pm25, 65535, 0.1),
    pm4 = unless(pm4, 65535, 0.1), pm10 = unless(pm10, 65535, 0.1), co2 = unless(co2, 65535, 1),
    voc_index = unless(voc, 511, 1), nox_index = unless(nox, 511, 1),
    illuminance = unless(light, 0xffffff, 0.01), sequence_number = unless(sequence, 0xffffff, 1),
  }
  reading.iaqs = air_quality(reading.pm25, reading.co2)
  return reading
end

return {
  meta = {
    name = "ruuvi", version = "1.0.0", license = "MIT", models = { "RuuviTag", "Ruuvi Air" },
    spec = { "https://docs.ruuvi.com/communication/bluetooth-advertisements" },
  },
  match = {
    { id = "df3", company = 0x0499, first = { 0x03 }, model = "RuuviTag" },
    { id = "df5", company = 0x0499, first = { 0x05 }, len = 24, model = "RuuviTag" },
    { id = "df6", company = 0x0499, first = { 0x06 }, len = 20, model = "Ruuvi Air" },
    {
      id = "url", service_data = "feaa", model = "RuuviTag", -- ruu.vi/#
      first = { 0x10, false, 0x03, 0x72, 0x75, 0x75, 0x2e, 0x76, 0x69, 0x2f, 0x23 },
    },
    { id = "e1", company = 0x0499, first = { 0xe1 }, len = 40, model = "Ruuvi Air" },
  },
  fields = {
    temperature = { unit = "°C", class = "temperature", digits = 3 },
    humidity = { unit = "%", class = "humidity", digits = 4 },
    pressure = { unit = "hPa", class = "pressure", digits = 2 },
    voltage = { unit = "V", class = "voltage", digits = 3 },
    tx_power = { unit = "dBm", class = "signal_strength" },
    acceleration_x = { unit = "m/s²" }, acceleration_y = { unit = "m/s²" }, acceleration_z = { unit = "m/s²" },
    acceleration_total = { unit = "m/s²" },
    movement_counter = { kind = "counter", bits = 8 },
    sequence_number = { kind = "counter" },
    pm1 = { unit = "µg/m³", class = "pm1" }, pm25 = { unit = "µg/m³", class = "pm25" },
    pm4 = { unit = "µg/m³", class = "pm4" }, pm10 = { unit = "µg/m³", class = "pm10" },
    co2 = { unit = "ppm", class = "co2" }, voc_index = {}, nox_index = {}, iaqs = {},
    illuminance = { unit = "lx", class = "illuminance" },
  },
  decode = function(payload, ctx)
    if ctx.rule == "df3" and #payload < 14 then return nil end
    return rules[ctx.rule](payload)
  end,
  tests = {
    {
      manufacturer_data = { [0x0499] = "03b2812aca20007a002603d0088f" },
      expect = { temperature = -1.42, humidity = 89, pressure = 1017.44, voltage = 2.191, acceleration_z = 9.57 },
    },
    {
      manufacturer_data = { [0x0499] = "0512fc5394c37c0034fffc040cac364200cdcbb8334cc372" },
      expect = {
        temperature = 24.3, humidity = 53.49, pressure = 1000.44, voltage = 2.977, movement_counter = 66,
        acceleration_x = 0.51, acceleration_y = -0.04, acceleration_z = 10.16, acceleration_total = 10.17, tx_power = 4,
        rule = "df5", model = "RuuviTag",
      },
    },
    {
      manufacturer_data = { [0x0499] = "06f2da863cc90300090df9a000a057f690ff00ff" },
      expect = {
        temperature = -16.83, humidity = 85.91, pressure = 1014.59, pm25 = 0.9, co2 = 3577, voc_index = 320,
        nox_index = 1, illuminance = 1080, iaqs = 0,
      },
    },
    {
      manufacturer_data = {
        [0x0499] = "e1170c5668c79e0065007004bd11ca06c90a0213e0ac000016decdee119e00000000cbb8334c884f",
      },
      expect = {
        temperature = 29.5, humidity = 55.3, pressure = 1011.02, pm1 = 10.1, pm25 = 11.2, pm4 = 121.3, pm10 = 455.4,
        co2 = 1737, voc_index = 20, nox_index = 4, illuminance = 13027, iaqs = 28,
      },
    },
    {
      -- By the layout above: 04 64 18 32 ca bc in base 64.
      service_data = { feaa = "10f6037275752e76692f2342475159" .. "4d73713861" },
      expect = { temperature = 24.5, humidity = 50, pressure = 1019 },
    },
    { manufacturer_data = { [0x0499] = "0512fc5394" }, error = "nobody" },
  },
}
