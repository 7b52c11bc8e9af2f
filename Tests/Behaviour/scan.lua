-- Listening to what is in the air: ble.scan, ble.find, ble.discover.
local ble = require "ble"
local lab = require "support.lab"
local task = require "task"
local test = require "test"

local world = { world = "lab" }

--- The addresses that a scan reports, as a set.
local function heard(filter)
  filter.timeout = filter.timeout or 2
  local found = {}
  for adv in ble.scan(filter) do found[adv.address] = true end
  return found
end

local function set(...)
  local result = {}
  for _, address in ipairs { ... } do result[address] = true end
  return result
end

test("a scan ends at its time-out", world, function(t)
  local before, addresses = task.now(), {}
  for adv in ble.scan { timeout = 2 } do addresses[adv.address] = true end
  t.near(task.now() - before, 2, 0.5)
  for _, name in ipairs { "pulse", "lab", "ghost", "ibeacon", "eddystone", "tag", "public" } do
    t.ok(addresses[lab[name]], name)
  end
end)

test("devices that do not call themselves discoverable are reported too", world, function(t)
  local addresses = heard {}
  t.ok(addresses[lab.hush])
  t.ok(addresses[lab.flagless])
end)

test("a scan ends after `count` reports", world, function(t)
  local count = 0
  for _ in ble.scan { count = 3, timeout = 5 } do count = count + 1 end
  t.equal(count, 3)
end)

test("without duplicates a device is reported once as long as it says the same", world, function(t)
  local count = 0
  for _ in ble.scan { address = lab.ghost, timeout = 2 } do count = count + 1 end
  t.equal(count, 1)
end)

test("B19 with duplicates each advertisement is reported", world, function(t)
  local count = 0
  for _ in ble.scan { address = lab.ghost, duplicates = true, timeout = 3 } do count = count + 1 end
  t.ok(count >= 10, count .. " in 3 s, though it advertises each 0.1 s")
end)

test("leaving the loop stops the discovery", world, function(t)
  local adapter = ble.adapter()
  for _ in ble.scan { timeout = 10 } do -- luacheck: ignore 512
    t.eventually(function() return adapter.discovering end, 2)
    break
  end
  t.eventually(function() return not adapter.discovering end, 3)
end)

test("an error in the loop stops the discovery", world, function(t)
  local adapter = ble.adapter()
  local err = t.raises(function()
    for _ in ble.scan { timeout = 10 } do error("mine", 0) end
  end)
  t.equal(err, "mine")
  t.eventually(function() return not adapter.discovering end, 3)
end)

test("two scans at once: the one that ends does not end the other", world, function(t)
  local long = task.spawn(function() return heard { timeout = 3, duplicates = true, address = lab.pulse } end)
  t.equal(heard { timeout = 1, address = lab.ghost }, set(lab.ghost))
  local adapter = ble.adapter()
  t.ok(adapter.discovering)
  t.equal(long:wait(), set(lab.pulse))
  t.eventually(function() return not adapter.discovering end, 3)
end)

test("an advertisement has what was advertised", world, function(t)
  local pulse = ble.find { address = lab.pulse }
  t.equal(pulse.name, "Pulse")
  t.equal(pulse.address, lab.pulse)
  t.equal(pulse.address_type, "random")
  t.equal(pulse.rssi, -50)
  t.equal(pulse.tx_power, -4)
  table.sort(pulse.services)
  t.equal(pulse.services, { "180d", "180f" })
  t.equal(pulse.manufacturer_data, { [0x0059] = "\1\2\3" })
  t.equal(pulse.service_data, { ["180f"] = "\x55" })
  t.equal(pulse.adapter, "hci0")
  t.equal(pulse.device.address, lab.pulse)
  t.ok(tostring(pulse):find "Pulse" and tostring(pulse):find "-50 dBm", tostring(pulse))
end)

test("an advertisement lacks what was not advertised", world, function(t)
  local beacon = ble.find { address = lab.ibeacon }
  t.equal(beacon.name, nil, "BlueZ's alias, the address with dashes, is no name")
  t.equal(beacon.services, {})
  t.equal(beacon.service_data, {})
  t.equal(beacon.tx_power, nil)
  t.equal(beacon.manufacturer_data[0x004c], "\x02\x15\0\1\2\3\4\5\6\7\8\9\10\11\12\13\14\15\0\1\0\2\xc5")
  t.equal(ble.find { address = lab.public }.address_type, "public")
end)

test("L05 the numbers of an advertisement are integers", world, function(t)
  local adv = ble.find { address = lab.pulse }
  t.equal(math.type(adv.rssi), "integer")
  t.equal(math.type(adv.tx_power), "integer")
  t.equal(math.type(next(adv.manufacturer_data)), "integer")
  t.equal(math.type(adv.time), "float")
end)

test("find gives the first match, or not_found at stage scan", world, function(t)
  t.equal(ble.find({ name = "Lab" }).address, lab.lab)
  local before = task.now()
  local err = t.raises("not_found", function() ble.find { name = "Nobody", timeout = 1 } end)
  t.near(task.now() - before, 1, 0.5)
  t.equal(err.stage, "scan")
  t.equal(err.op, "find")
  t.equal(err.retryable, true)
  t.ok(err.message:find "Nobody", err.message)
  t.ok(err.advice)
end)

test("discover lists each device once, the strongest first", world, function(t)
  local list = ble.discover { timeout = 2 }
  local seen = {}
  for i, adv in ipairs(list) do
    t.equal(seen[adv.address], nil, adv.address)
    seen[adv.address] = true
    if i > 1 then t.ok(list[i - 1].rssi >= adv.rssi) end
  end
  t.equal(list[1].address, lab.pulse)
  t.ok(#list >= 8, #list .. " devices")
end)

test("a device that hides is not discovered, and is again when it shows", world, function(t)
  t.order "ghost hide"
  t.equal(ble.discover { address = lab.ghost, timeout = 1 }, {})
  t.order "ghost show"
  t.equal(#ble.discover { address = lab.ghost, timeout = 2 }, 1)
end)

test("new data is a report of its own, and only it is in it", world, function(t)
  local scan = task.spawn(function()
    local reports = {}
    for adv in ble.scan { address = lab.tag, timeout = 5, count = 2 } do reports[#reports + 1] = adv end
    return reports
  end)
  task.sleep(1)
  t.order "tag manufacturer 0a0b 0102"
  local reports = scan:wait()
  t.equal(#reports, 2)
  t.equal(reports[1].manufacturer_data, { [0x0499] = "\5\x12\xfc" })
  t.equal(reports[2].manufacturer_data[0x0a0b], "\1\2")
end)

test("B25 the filter fields", world, function(t)
  t.equal(heard { name = "Pulse" }, set(lab.pulse))
  t.equal(heard { name_prefix = "L" }, set(lab.lab, lab.lock))
  t.equal(heard { pattern = "^P[ul]" }, set(lab.pulse, lab.public))
  t.equal(heard { address = lab.ibeacon:lower() }, set(lab.ibeacon))
  t.equal(heard { services = { "heart_rate" } }, set(lab.pulse))
  t.equal(heard { services = { "feaa" } }, set(lab.eddystone))
  t.equal(heard { services = { lab.service } }, set(lab.lab))
  t.equal(heard { rssi = -55 }, set(lab.pulse))
  t.equal(heard { where = function(adv) return adv.tx_power == 8 end }, set(lab.eddystone))
end)

test("the filter looks into the data", world, function(t)
  t.equal(heard { manufacturer = { [0x0059] = true } }, set(lab.pulse))
  t.equal(heard { manufacturer = { [0x004c] = { prefix = "\x02\x15" } } }, set(lab.ibeacon))
  t.equal(heard { manufacturer = { [0x004c] = { prefix = "\x02\x16" } } }, set())
  t.equal(heard { manufacturer = { [0x004c] = { prefix = "\xf2\x1f", mask = "\x0f\xf0" } } }, set(lab.ibeacon))
  t.equal(heard { service_data = { feaa = true } }, set(lab.eddystone))
  t.equal(heard { service_data = { ["180f"] = { prefix = "\x55" } } }, set(lab.pulse))
  t.equal(heard { service_data = { ["180f"] = { prefix = "\x56" } } }, set())
end)

test("any, except, and fields together", world, function(t)
  t.equal(heard { any = { { name = "Pulse" }, { name = "Tag" } } }, set(lab.pulse, lab.tag))
  t.equal(heard { rssi = -60, except = { { name = "Pulse" } } }, set(lab.lab, lab.ibeacon))
  t.equal(heard { name_prefix = "L", except = { { pattern = "ck$" } } }, set(lab.lab))
  t.equal(heard { name_prefix = "L", rssi = -60 }, set(lab.lab))
  t.equal(heard { pattern = "^L", where = function(adv) return adv.rssi < -60 end }, set(lab.lock))
  t.equal(heard { pattern = "^L", where = function(adv) return adv.device.address == lab.lock end }, set(lab.lock))
end)

test("an error in `where` is raised by the scan", world, function(t)
  local err = t.raises(function() ble.find { where = function() error("mine", 0) end, timeout = 2 } end)
  t.equal(err, "mine")
  t.eventually(function() return not ble.adapter().discovering end, 3)
end)

test("a wrong filter is an error that names the field", world, function(t)
  local function complains(filter, word)
    local err = t.raises(function() ble.find(filter) end)
    t.ok(tostring(err):find(word, 1, true), tostring(err))
  end
  complains({ nmae = "Pulse" }, "nmae")
  complains({ name = 5 }, "name")
  complains({ rssi = "loud" }, "rssi")
  complains({ services = { "no such service" } }, "no such service")
  complains({ address = "12:34" }, "12:34")
  complains({ pattern = "%" }, "malformed pattern")
  complains({ pattern = "P", where = 5 }, "where")
  complains({ timeout = -1 }, "timeout")
  complains({ any = { { nmae = "x" } } }, "nmae")
end)

test("X9 two adapters hear the same device; a scan takes the one it is told", world, function(t)
  local first = ble.find { address = lab.pulse, adapter = "hci0" }
  local second = ble.find { address = lab.pulse, adapter = "hci1" }
  t.equal(first.adapter, "hci0")
  t.equal(second.adapter, "hci1")
  t.ok(first.device ~= second.device)
  t.equal(second.device.adapter, "hci1")
  t.equal(ble.find({ address = lab.pulse, adapter = "AA:BB:CC:00:00:02" }).adapter, "hci1")
  t.raises("no_adapter", function() ble.find { adapter = "hci7", timeout = 1 } end)
end)

test("a scan in a task ends with the task", world, function(t)
  local scan = task.spawn(function() for _ in ble.scan {} do task.sleep(0) end end)
  task.sleep(0.5)
  t.ok(ble.adapter().discovering)
  scan:cancel()
  t.equal(scan.status, "cancelled")
  t.eventually(function() return not ble.adapter().discovering end, 3)
end)

test("B22 a device that is connected or was heard long ago has no signal strength, or a true one", world, function(t)
  local adv = ble.find { address = lab.ghost }
  local dev = adv.device
  t.eventually(function() return dev.rssi == nil end, 3, "BlueZ takes it back when the discovery ends")
  t.equal(ble.discover { address = lab.ghost, rssi = -10, timeout = 1 }, {})
end)
