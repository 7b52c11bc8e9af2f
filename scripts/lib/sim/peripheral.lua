--- Peripherals: what they advertise and do.
local answer = require "sim.answer"
local check = require "sim.check"
local gatt = require "sim.gatt"
local host = require "sim.host"

local Peripheral = {}
local peripherals = {}

Peripheral.__index = function(self, key)
  if key == "connected" then return check.ask("is_connected", self.number) end
  return Peripheral[key]
end

for _, verb in ipairs { "disconnect", "lose", "hide", "show", "mute", "unmute" } do
  Peripheral[verb] = function(self) check.ask("act", self.number, verb) end
end

local events = check.set "connect disconnect subscribe unsubscribe"

--- "connect" gets the count of connections and may return `sim.fail`; "subscribe" and "unsubscribe" the characteristic.
function Peripheral:on(event, fn)
  if not events[event] then
    check.complain("on: connect, disconnect, subscribe or unsubscribe expected, got %s", check.shown(event))
  end
  check.need("on", fn, "function", "a function")
  if not self.handlers then
    self.handlers = {}
    check.ask("on", self.number, function(name, value)
      local about = value
      if name ~= "connect" and value then
        for _, characteristic in ipairs(self.characteristics) do
          if characteristic.handle == value then about = characteristic end
        end
      end
      for _, handler in ipairs(self.handlers[name] or {}) do
        local result = handler(about)
        if answer.is(result, "fail") then return result.value end
      end
      return nil
    end)
  end
  self.handlers[event] = self.handlers[event] or {}
  table.insert(self.handlers[event], fn)
  return self
end

function Peripheral:service(first, options) return gatt.add_service(self, first, options) end

--- By what it was called (`id`), by UUID, or by handle.
function Peripheral:characteristic(reference)
  local long = type(reference) == "string" and host.uuid(reference)
  for _, characteristic in ipairs(self.characteristics) do
    if characteristic.id == reference or characteristic.uuid == long or characteristic.handle == reference then
      return characteristic
    end
  end
  return nil
end

local function fields(what, options)
  local manufacturer, service = {}, {}
  local by_company = check.optional("manufacturer_data", options.manufacturer_data, "table", "{ [company] = bytes }")
  for company, bytes in pairs(by_company or {}) do
    local key = check.whole("manufacturer_data", company, 0, 0xffff)
    manufacturer[key] = check.need("manufacturer_data", bytes, "string", "bytes")
  end
  local by_uuid = check.optional("service_data", options.service_data, "table", "{ [uuid] = bytes }")
  for id, bytes in pairs(by_uuid or {}) do
    service[check.uuid("service_data", id)] = check.need("service_data", bytes, "string", "bytes")
  end
  return {
    name = check.optional("name", options.name, "string"),
    services = check.uuids(what .. ": services", options.services),
    manufacturer_data = manufacturer,
    service_data = service,
    tx_power = options.tx_power and check.whole("tx_power", options.tx_power, -127, 126),
    appearance = options.appearance and check.whole("appearance", options.appearance, 0, 0xffff),
  }
end

local known = check.set [[id address address_type name rssi interval flags services manufacturer_data service_data
  tx_power appearance scan_response connectable mtu pairing gatt]]

local function how_it_pairs(options)
  check.allow("pairing", options, check.set "passkey compare type refuse")
  if options.refuse then return "refuse" end
  for _, way in ipairs { "passkey", "compare", "type" } do
    if options[way] then return way, check.whole(way, options[way], 0, 999999) end
  end
  return "just_works"
end

local function peripheral(options)
  check.need("sim.peripheral", options, "table", "a table")
  check.allow("sim.peripheral", options, known)
  local address = check.address("address", options.address)
  local kind = options.address_type or "random"
  if kind ~= "random" and kind ~= "public" then
    check.complain("address_type: \"random\" or \"public\" expected, got %s", check.shown(kind))
  end
  local response = check.optional("scan_response", options.scan_response, "table", "a table")
  if response then
    check.allow("scan_response", response, check.set "name services manufacturer_data service_data tx_power appearance")
  end
  local pairing, number = how_it_pairs(check.optional("pairing", options.pairing, "table", "a table") or {})
  local advertisement = fields("sim.peripheral", options)
  if options.flags ~= false then advertisement.flags = check.whole("flags", options.flags or 0x06, 0, 255) end
  local connectable = options.connectable ~= false
  local id = check.optional("id", options.id, "string") or options.name and options.name:lower() or address
  local index = check.ask("peripheral", {
    address = address, address_type = kind, id = id,
    name = options.name or response and response.name or "",
    rssi = check.whole("rssi", options.rssi or -60, -127, 20),
    interval = math.max(0.01, check.seconds("interval", options.interval or 0.1)),
    connectable = connectable, gatt = connectable and options.gatt ~= false,
    mtu = check.whole("mtu", options.mtu or 517, 23, 517),
    pairing = pairing, passkey = number,
    advertisement = advertisement, scan_response = response and fields("scan_response", response),
  })
  local made = setmetatable({
    number = index, address = address, name = options.name, id = id, characteristics = {},
  }, Peripheral)
  peripherals[id] = made
  return made
end

--- Changes what it advertises: the fields given take the place of those that were.
function Peripheral:advertise(options)
  check.need("advertise", options, "table", "a table")
  check.allow("advertise", options,
    check.set "name services manufacturer_data service_data tx_power appearance flags rssi")
  local changes = fields("advertise", options)
  for _, field in ipairs { "services", "manufacturer_data", "service_data" } do
    if options[field] == nil then changes[field] = nil end
  end
  changes.flags = options.flags and check.whole("flags", options.flags, 0, 255)
  changes.rssi = options.rssi and check.whole("rssi", options.rssi, -127, 20)
  check.ask("advertise", self.number, changes)
end

--- Adds a manufacturer's field; those that were there stay.
function Peripheral:add_manufacturer_data(company, bytes)
  check.whole("company", company, 0, 0xffff)
  check.ask("add_manufacturer_data", self.number, company, check.need("data", bytes, "string", "bytes"))
end

return { make = peripheral, all = peripherals }
