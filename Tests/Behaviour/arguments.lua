-- A wrong argument is an error about the script's line that names the argument and what was expected.
local ble = require "ble"
local lab = require "support.lab"
local test = require "test"

local world = { world = "lab" }

local uuid_or_name = '"zz" is neither a UUID nor the name of a %s in the Bluetooth SIG\'s assigned numbers'
local no_reference = '"zz" is no UUID, no "service/characteristic", and no name in the SIG\'s assigned numbers'
local reference = 'characteristic (UUID, "service/characteristic", handle or object) expected, got %s'
local no_address = 'address such as C8:3F:26:00:00:01 expected, got "x"'
local target = "address, advertisement, device or filter expected, got %s"
local no_seconds = "field 'timeout': seconds must not be negative or NaN"

-- The call, the name it has in the message, the argument's number, and what is wrong with it.
local of_ble = {
  { "ble.scan(5)", "ble.scan", 1, "table expected, got number" },
  { "ble.scan { nme = 'x' }", "ble.scan", 1, "unknown field 'nme'" },
  { "ble.scan { rssi = 'x' }", "ble.scan", 1, "field 'rssi': integer expected, got string" },
  { "ble.scan { address = 'x' }", "ble.scan", 1, "field 'address': " .. no_address },
  { "ble.scan { services = { 'zz' } }", "ble.scan", 1, "field 'services[1]': " .. uuid_or_name:format "service" },
  { "ble.scan { manufacturer = { [70000] = true } }", "ble.scan", 1,
    "field 'manufacturer[70000]': 70000 is not in 0 to 65535" },
  { "ble.scan { where = 5 }", "ble.scan", 1, "field 'where': function expected, got number" },
  { "ble.scan { any = 5 }", "ble.scan", 1, "field 'any': table expected, got number" },
  { "ble.scan { pattern = 5 }", "ble.scan", 1, "field 'pattern': string expected, got number" },
  { "ble.scan { pattern = '[' }", "ble.scan", 1, "field 'pattern': malformed pattern (missing ']')" },
  { "ble.scan { timeout = -1 }", "ble.scan", 1, no_seconds },
  { "ble.scan { count = 0 }", "ble.scan", 1, "field 'count': 0 is not in 1 to 9223372036854775807" },
  { "ble.find(5)", "ble.find", 1, "table expected, got number" },
  { "ble.discover(true)", "ble.discover", 1, "table expected, got boolean" },
  { "ble.adapter {}", "ble.adapter", 1, "string expected, got table" },
  { "ble.ready(5)", "ble.ready", 1, "table expected, got number" },
  { "ble.ready { timeout = 'x' }", "ble.ready", 1, "field 'timeout': number expected, got string" },
  { "ble.on('power', print)", "ble.on", 1, '"state" expected, got power' },
  { "ble.on('state', 5)", "ble.on", 2, "function expected, got number" },
  { "ble.device()", "ble.device", 1, "address expected, got nil" },
  { "ble.device 'x'", "ble.device", 1, no_address },
  { "ble.connect()", "ble.connect", 1, target:format "nil" },
  { "ble.connect(5)", "ble.connect", 1, target:format "number" },
  { "ble.connect(dev, 5)", "ble.connect", 2, "table of options expected, got number" },
  { "ble.connect(dev, { tries = 1 })", "ble.connect", 2,
    "unknown option 'tries'; there are: adapter attempts timeout" },
  { "ble.with(dev, 5)", "ble.with", 3, "function expected, got nil" },
  { "ble.read()", "ble.connect", 1, target:format "nil" },
  { "ble.read(dev, '2a19', 5)", "ble.read", 3, "table of options expected, got number" },
  { "ble.write(dev, '2a19', 'x', { as = 'hex', offest = 1 })", "ble.write", 4,
    "unknown option 'offest'; there are: adapter as attempts offset reliable response timeout" },
  { "ble.uuid('zz', 'service')", "ble.uuid", 1, uuid_or_name:format "service" },
  { "ble.uuid('180f', 'x')", "ble.uuid", 2, "invalid option 'x'; 'service', 'characteristic', 'descriptor' expected" },
}

local of_device = {
  { "dev:read()", "read", 1, reference:format "nil" },
  { "dev:read {}", "read", 1, reference:format "table" },
  { "dev:read 'zz'", "read", 1, no_reference },
  { "dev:read(0)", "read", 1, "0 is not in 1 to 65535" },
  { "dev:read('2a19', 5)", "read", 2, "table of options expected, got number" },
  { "dev:read('2a19', { timeout = 0/0 })", "read", 2, no_seconds },
  { "dev:read('2a19', { offset = -1 })", "read", 2, "field 'offset': -1 is not in 0 to 65535" },
  { "dev:write('2a19')", "write", 2, "string expected, got nil" },
  { "dev:write('2a19', 5)", "write", 2, "string expected, got number" },
  { "dev:write('2a19', 'x', { response = 1 })", "write", 3, "field 'response': boolean expected, got number" },
  { "dev:read_descriptor('2a19')", "read_descriptor", 2, "UUID expected, got nil" },
  { "dev:read_descriptor('2a19', 'zz')", "read_descriptor", 2, uuid_or_name:format "descriptor" },
  { "dev:write_descriptor('2a19', '2901')", "write_descriptor", 3, "string expected, got nil" },
  { "dev:subscribe '2a19'", "subscribe", 2, "function expected, got nil" },
  { "dev:subscribe('zz', print)", "subscribe", 1, no_reference },
  { "dev:notifications('2a19', { count = 'x' })", "notifications", 2, "field 'count': number expected, got string" },
  { "dev:request '2a19'", "request", 2, "string expected, got nil" },
  { "dev:request('2a19', 'x', { match = 5 })", "request", 3, "field 'match': function expected, got number" },
  { "dev:on('x', print)", "on", 1, '"disconnect" or "services" expected, got x' },
  { "dev:on 'disconnect'", "on", 2, "function expected, got nil" },
  { "dev:service 'zz'", "service", 1, uuid_or_name:format "service" },
  { "dev:characteristic()", "characteristic", 1, reference:format "nil" },
  { "dev:disconnect(5)", "disconnect", 1, "table expected, got number" },
}

local function check(t, cases, dev)
  for _, case in ipairs(cases) do
    local call, name, number, reason = table.unpack(case)
    local run = assert(load("local ble, dev = ...\n" .. call .. "\nreturn", "=script"))
    local message = t.raises(function() run(ble, dev) end, call)
    t.equal(message, ("script:2: bad argument #%d to '%s' (%s)"):format(number, name, reason), call)
  end
end

test("wrong arguments to ble's functions", world, function(t) check(t, of_ble, ble.device(lab.pulse)) end)

test("wrong arguments to a device's methods", world, function(t)
  local dev <close> = ble.connect(lab.pulse)
  check(t, of_device, dev)
end)
