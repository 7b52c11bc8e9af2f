--- Eddystone: UID, URL, TLM and EID frames.

local schemes = { [0] = "http://www.", "https://www.", "http://", "https://" }
local endings = {
  [0] = ".com/", ".org/", ".edu/", ".net/", ".info/", ".biz/", ".gov/", ".com", ".org", ".edu", ".net", ".info", ".biz",
  ".gov",
}

local function hex(bytes) return codec.decode("hex", bytes) end

local frames = {}

function frames.uid(payload)
  return {
    tx_power = string.unpack("i1", payload, 2), namespace = hex(payload:sub(3, 12)),
    instance = hex(payload:sub(13, 18)),
  }
end

-- Other bytes than printable ones are reserved: such a frame is not an address.
function frames.url(payload)
  local power, scheme = string.unpack("i1B", payload, 2)
  if not schemes[scheme] then return nil end
  local parts = { schemes[scheme] }
  for i = 4, #payload do
    local byte = payload:byte(i)
    local part = endings[byte] or byte > 0x20 and byte < 0x7f and string.char(byte)
    if not part then return nil end
    parts[#parts + 1] = part
  end
  return { tx_power = power, url = table.concat(parts) }
end

-- 0 mV: not known (a beacon on mains). -128 °C: not known.
function frames.tlm(payload)
  local voltage, temperature, count, uptime = string.unpack(">I2i2I4I4", payload, 3)
  return {
    voltage = voltage ~= 0 and voltage / 1000 or nil, temperature = temperature ~= -32768 and temperature / 256 or nil,
    advertising_count = count, uptime = uptime / 10,
  }
end

function frames.eid(payload)
  return { tx_power = string.unpack("i1", payload, 2), eid = hex(payload:sub(3)) }
end

return {
  meta = {
    name = "eddystone", version = "1.0.0", license = "MIT", models = { "Eddystone" },
    spec = { "https://github.com/google/eddystone/blob/master/protocol-specification.md" },
  },
  match = {
    { id = "uid", service_data = "feaa", first = { 0x00 }, len = { 18, 20 } },
    { id = "url", service_data = "feaa", first = { 0x10 } },
    { id = "tlm", service_data = "feaa", first = { 0x20, 0x00 }, len = 14 },
    { id = "eid", service_data = "feaa", first = { 0x30 }, len = 10 },
  },
  fields = {
    tx_power = { unit = "dBm", class = "signal_strength" }, -- at no distance
    namespace = { type = "string" }, instance = { type = "string" },
    url = { type = "string" }, eid = { type = "string" },
    voltage = { unit = "V", class = "voltage", digits = 3 },
    temperature = { unit = "°C", class = "temperature" },
    advertising_count = { kind = "counter", bits = 32 },
    uptime = { unit = "s", class = "duration" },
  },
  decode = function(payload, ctx)
    if ctx.rule == "url" and #payload < 4 then return nil end
    return frames[ctx.rule](payload)
  end,
  tests = {
    {
      service_data = { feaa = "00ee00112233445566778899aabbccddeeff0000" },
      expect = { namespace = "00112233445566778899", instance = "aabbccddeeff", tx_power = -18 },
    },
    {
      service_data = { feaa = "10eb01626c7565746f6f74680078" },
      expect = { url = "https://www.bluetooth.com/x", tx_power = -21 },
    },
    { service_data = { feaa = "10eb" }, error = "nobody" },
    { service_data = { feaa = "10eb01620e" }, error = "nobody" },
    {
      service_data = { feaa = "20000bb8fb80ffffffff00000064" },
      expect = { voltage = 3, temperature = -4.5, advertising_count = 4294967295, uptime = 10 },
    },
    { service_data = { feaa = "30f08a7b6c5d4e3f2a1b" }, expect = { eid = "8a7b6c5d4e3f2a1b", tx_power = -16 } },
  },
}
