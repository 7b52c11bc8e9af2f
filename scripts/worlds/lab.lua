--- The laboratory: two adapters, and one device for each thing that can happen.
-- Everything is silent until somebody gives an order such as `lab notify notify 0102`.
local sim = require "sim"

sim.adapter { name = "hci0", address = "AA:BB:CC:00:00:01" }
sim.adapter { name = "hci1", address = "AA:BB:CC:00:00:02" }

local function uuid(number) return string.format("7e57%04x-b1e5-4c0d-9a00-0123456789ab", number) end

-- What can be connected.

local pulse = sim.peripheral {
  id = "pulse", address = "C8:3F:26:00:00:01", rssi = -50,
  name = "Pulse", services = { "180d", "180f" }, manufacturer_data = { [0x0059] = "\1\2\3" },
  scan_response = { service_data = { ["180f"] = "\x55" }, tx_power = -4 },
}

local lab = sim.peripheral {
  id = "lab", address = "C8:3F:26:00:00:02", rssi = -60, services = { uuid(0) },
  scan_response = { name = "Lab", manufacturer_data = { [0xffff] = "lab" } },
}

local lock = sim.peripheral { id = "lock", address = "C8:3F:26:00:00:03", rssi = -70, name = "Lock" }
local safe = sim.peripheral {
  id = "safe", address = "C8:3F:26:00:00:04", rssi = -80, name = "Safe", pairing = { passkey = 123456 },
}

sim.peripheral { id = "ghost", address = "C8:3F:26:00:00:05", rssi = -65, name = "Ghost" }
local shy = sim.peripheral { id = "shy", address = "C8:3F:26:00:00:06", rssi = -65, name = "Shy" }
sim.peripheral { id = "hush", address = "C8:3F:26:00:00:07", rssi = -66, name = "Hush", flags = 0x04 }

-- What cannot.

sim.peripheral {
  id = "ibeacon", address = "D0:00:00:00:00:01", rssi = -60, connectable = false,
  manufacturer_data = { [0x004c] = "\x02\x15\0\1\2\3\4\5\6\7\8\9\10\11\12\13\14\15\0\1\0\2\xc5" },
}
sim.peripheral {
  id = "eddystone", address = "D0:00:00:00:00:02", rssi = -71, connectable = false,
  services = { "feaa" }, service_data = { feaa = "\0\xee\1\2" }, tx_power = 8,
}
sim.peripheral {
  id = "tag", address = "D0:00:00:00:00:03", rssi = -72, connectable = false,
  name = "Tag", manufacturer_data = { [0x0499] = "\5\x12\xfc" },
  scan_response = { service_data = { [uuid(0x12)] = "\7" } },
}
sim.peripheral {
  id = "public", address = "00:1A:7D:00:00:04", address_type = "public", rssi = -73, connectable = false,
  name = "Public",
}
sim.peripheral {
  id = "flagless", address = "D0:00:00:00:00:05", rssi = -74, connectable = false, flags = false, name = "Flagless",
}

-- Shy hangs up a second after somebody connects.

shy:on("connect", function() sim.after(1, function() shy:disconnect() end) end)

-- Pulse.

local heart_rate = pulse:service "180d"
heart_rate:characteristic { "2a37", "notify" }
heart_rate:characteristic { "2a38", "read", value = "\1" }
heart_rate:characteristic {
  "2a39", "write", on_write = function(value) return value ~= "\1" and sim.att(0x80) or nil end,
}
pulse:service "180f":characteristic { "2a19", "read", "notify", value = "\x55" }
local information = pulse:service "180a"
information:characteristic { "2a29", "read", value = "Example Ltd" }
information:characteristic { "2a24", "read", value = "P-1" }

-- Lock and Safe.

lock:service "fff0":characteristic { "fff1", "read", "write", id = "lock", value = "secret", encrypted = true }
safe:service "fff0":characteristic { "fff1", "read", "write", id = "safe", value = "gold", authenticated = true }

-- Lab: a characteristic for each way to answer.

local extra = lab:service(uuid(1))
extra:characteristic { uuid(0x13), "read", id = "extra", value = "extra" }

local service = lab:service { uuid(0), includes = { extra } }

local read = service:characteristic { uuid(2), "read", "write", id = "read", value = "hello", max = 64 }
read:descriptor { "2901", value = "Greeting" }
read:descriptor { "2904", value = "\x19\0\0\x27\1\0\0" }
read:descriptor { uuid(0x12), "read", "write", value = "tag", max = 8 }

service:characteristic { uuid(3), "read", "write-without-response", id = "command" }

local bytes = {}
for i = 0, 511 do bytes[#bytes + 1] = string.char(i & 0xff) end
service:characteristic { uuid(4), "read", "write", id = "long", value = table.concat(bytes) }

local notify = service:characteristic { uuid(5), "notify", id = "notify" }
service:characteristic { uuid(6), "indicate", id = "indicate" }
service:characteristic { uuid(7), "notify", "indicate", id = "both" }

-- Write n: from then on a read fails with ATT error n. Write n and a second byte: that write fails.
local code = 0
service:characteristic {
  uuid(8), "read", "write", id = "fault",
  on_read = function() return code == 0 and "ok" or sim.att(code) end,
  on_write = function(value)
    if #value == 2 then return sim.att(value:byte()) end
    code = value:byte() or 0
    return nil
  end,
}

service:characteristic { uuid(9), "read", id = "slow", on_read = function() return sim.later(2, "slow") end }
service:characteristic { uuid(10), "read", id = "silent", on_read = function() return sim.never end }
service:characteristic {
  uuid(11), "write", "write-without-response", id = "echo", on_write = function(value) notify:notify(value) end,
}
service:characteristic { uuid(12), "read", "write", id = "secret", value = "secret", encrypted = true }
service:characteristic { uuid(13), "read", id = "twin", value = "first" }
service:characteristic { uuid(13), "read", id = "twin", value = "second" }
service:characteristic { uuid(14), "read", "write", "extended-properties", "reliable-write", id = "reliable" }
  :descriptor { "2900", value = "\1\0" }
service:characteristic { uuid(15), "notify", id = "deaf", refuse_subscription = 0x03 }
service:characteristic { uuid(16), "write", id = "writeonly" }
service:characteristic { uuid(17), "read", id = "readonly", value = "fixed" }
