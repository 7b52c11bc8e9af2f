-- What a device offers, as objects.
local ble = require "ble"
local lab = require "support.lab"
local test = require "test"

local world = { world = "lab" }

local function field(list, name)
  local values = {}
  for i, item in ipairs(list) do values[i] = item[name] end
  return values
end

test("services in the order of their handles", world, function(t)
  local dev <close> = ble.connect(lab.pulse)
  local services = dev:services()
  t.equal(field(services, "uuid"), { "1801", "180d", "180f", "180a" })
  t.equal(field(services, "handle"), { 0x06, 0x0e, 0x16, 0x1a })
  t.equal(services[2].name, "Heart Rate")
  t.equal(services[2].primary, true)
  t.equal(services[2].includes, {})
  t.equal(field(services[2].characteristics, "uuid"), { "2a37", "2a38", "2a39" })
  t.ok(tostring(services[2]):find "180d", tostring(services[2]))
end)

test("a service by UUID or name", world, function(t)
  local dev <close> = ble.connect(lab.pulse)
  t.equal(dev:service("180f").handle, 0x16)
  t.equal(dev:service("battery_service").handle, 0x16)
  t.ok(dev:service "180f" == dev:services()[3])
  t.ok(dev:service "180f" ~= dev:service "180d")
  local err = t.raises("not_found", function() dev:service "1815" end)
  t.ok(err.message:find "1815", err.message)
end)

test("included services", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local includes = dev:service(lab.service).includes
  t.equal(field(includes, "uuid"), { lab.included })
  t.equal(field(includes[1].characteristics, "uuid"), { lab.extra })
  t.equal(includes[1].includes, {})
end)

test("a characteristic tells what it is", world, function(t)
  local dev <close> = ble.connect(lab.pulse)
  local battery = dev:characteristic "180f/2a19"
  t.equal(battery.uuid, "2a19")
  t.equal(battery.name, "Battery Level")
  t.equal(battery.handle, 0x17)
  t.equal(battery.properties, { read = true, notify = true })
  t.equal(battery.notifying, false)
  t.equal(battery.service.uuid, "180f")
  t.equal(field(battery.descriptors, "uuid"), { "2902" })
  t.equal(field(battery.descriptors, "handle"), { 0x19 })
  t.ok(battery == dev:characteristic(0x17))
  t.ok(battery ~= dev:characteristic "2a38")
  t.ok(tostring(battery):find "2a19", tostring(battery))
end)

test("the properties of each kind", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local function properties(ref) return dev:characteristic(ref).properties end
  t.equal(properties(lab.read), { read = true, write = true })
  t.equal(properties(lab.command), { read = true, write_without_response = true })
  t.equal(properties(lab.notify), { notify = true })
  t.equal(properties(lab.indicate), { indicate = true })
  t.equal(properties(lab.both), { notify = true, indicate = true })
  t.equal(properties(lab.reliable), { read = true, write = true, extended_properties = true, reliable_write = true })
end)

test("a characteristic without a SIG name has none", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  t.equal(dev:characteristic(lab.read).name, nil)
  t.equal(field(dev:characteristic(lab.read).descriptors, "uuid"), { "2901", "2904", lab.tag_descriptor })
  t.equal(field(dev:characteristic(lab.read).descriptors, "handle"), { 0x15, 0x16, 0x17 })
  t.equal(dev:characteristic(lab.read).descriptors[2].name, "Characteristic Presentation Format")
end)

test("B13 twins are both there", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local handles = {}
  for _, characteristic in ipairs(dev:service(lab.service).characteristics) do
    if characteristic.uuid == lab.twin then handles[#handles + 1] = characteristic.handle end
  end
  t.equal(handles, { 0x2f, 0x31 })
end)

test("the value that was read last is kept", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local characteristic = dev:characteristic(lab.extra)
  dev:read(characteristic)
  t.equal(characteristic.value, "extra")
end)

test("the MTU of the link", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  t.equal(dev.mtu, 517)
  t.equal(dev:characteristic(lab.read).mtu, 517)
end)

test("a device before it is connected", world, function(t)
  local dev = ble.device(lab.pulse)
  t.equal(dev.address, lab.pulse)
  t.eventually(function() return not dev.connected end, 5)
  t.equal(dev.services_resolved, false)
  t.equal(dev.paired, false)
  t.equal(dev.bonded, false)
  t.equal(dev.trusted, false)
  t.equal(dev.blocked, false)
  t.equal(dev.mtu, nil)
  t.equal(t.raises("disconnected", function() dev:read "2a19" end).device, lab.pulse)
end)

test("a field that there is not is nil, and nothing can be set", world, function(t)
  local dev <close> = ble.connect(lab.pulse)
  t.raises(function() dev.name = "other" end)
  t.raises(function() dev:characteristic("2a19").handle = 1 end)
  t.equal(dev.name, "Pulse")
end)

test("L09 an object outlives its link without harm", world, function(t)
  local characteristic
  do
    local dev <close> = ble.connect(lab.pulse)
    characteristic = dev:characteristic "2a19"
  end
  local dev = ble.device(lab.pulse)
  t.eventually(function() return not dev.connected end, 5)
  t.equal(characteristic.uuid, "2a19")
  t.equal(characteristic.notifying, false)
  t.raises("disconnected", function() dev:read(characteristic) end)
  local again <close> = ble.connect(lab.pulse)
  t.equal(again:read(characteristic), "\x55")
end)
