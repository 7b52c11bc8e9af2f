--- A made-up plant sensor: company ffff, "P", temperature, moisture.
return {
  meta = {
    name = "plant", version = "1.0.0", license = "MIT", models = { "Plant" },
    spec = { "https://example.com/plant.pdf" },
  },
  match = { { id = "v1", company = 0xffff, first = { 0x50 }, len = 4 } },
  fields = {
    temperature = { unit = "°C", class = "temperature" },
    moisture = { unit = "%" },
  },
  decode = function(payload)
    local temperature, moisture = string.unpack("<i2B", payload, 2)
    if moisture > 100 then return nil end
    return { temperature = temperature / 100, moisture = moisture }
  end,
  tests = {
    { manufacturer_data = { [0xffff] = "50c4092a" }, expect = { temperature = 25, moisture = 42 } },
    { manufacturer_data = { [0xffff] = "50c409ff" }, error = "nobody" },
  },
}
