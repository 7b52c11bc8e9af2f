--- Apple's iBeacon (Proximity Beacon Specification): company 004c, type 02, length 15.

-- April Brother ABTemp: the minor number is battery and temperature.
local abtemp = { 0x02, 0x15 }
for _, byte in ipairs { codec.encode("hex", "b5b182c7eab14988aa99b5c1517008d9"):byte(1, -1) } do
  abtemp[#abtemp + 1] = byte
end

return {
  meta = {
    name = "ibeacon", version = "1.0.0", license = "MIT", models = { "iBeacon", "April Brother ABTemp" },
    spec = { "https://developer.apple.com/ibeacon/" },
  },
  match = {
    { id = "beacon", company = 0x004c, first = { 0x02, 0x15 }, len = 23, model = "iBeacon" },
    { id = "abtemp", company = 0x004c, first = abtemp, len = 23, model = "April Brother ABTemp" },
  },
  fields = {
    uuid = { type = "string" }, major = {}, minor = {},
    measured_power = { unit = "dBm", class = "signal_strength" }, -- at 1 m
    battery = { unit = "%", class = "battery" },
    temperature = { unit = "°C", class = "temperature" },
  },
  decode = function(payload, ctx)
    local uuid, major, minor, power = string.unpack(">c16I2I2i1", payload, 3)
    local reading = { uuid = codec.decode("hex", uuid), major = major, minor = minor, measured_power = power }
    if ctx.rule == "abtemp" then reading.battery, reading.temperature = string.unpack("Bi1", payload, 21) end
    return reading
  end,
  tests = {
    {
      manufacturer_data = { [0x004c] = "0215e2c56db5dffb48d2b060d0f5a71396e000250000c5" },
      expect = { uuid = "e2c56db5dffb48d2b060d0f5a71396e0", major = 37, minor = 0, measured_power = -59 },
    },
    {
      manufacturer_data = { [0x004c] = "0215b5b182c7eab14988aa99b5c1517008d90001641a1c" },
      expect = { battery = 100, temperature = 26, major = 1, model = "April Brother ABTemp" },
    },
    { manufacturer_data = { [0x004c] = "0215e2c56db5" }, error = "nobody" },
  },
}
