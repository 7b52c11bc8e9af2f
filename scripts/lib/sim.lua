--- The language of virtual worlds: what is in the air, what it answers, what goes wrong.
-- The host (Sources/Simulator/World) keeps the world itself; here is how it is said, and what is said about mistakes.
local host = require "sim.host"

local here = debug.getinfo(1, "S").source

--- Raises an error that points at the line of the world.
local function complain(...)
  local level = 2
  while true do
    local info = debug.getinfo(level, "S")
    if not info then break end
    if info.source ~= here and info.what ~= "C" then break end
    level = level + 1
  end
  error(string.format(...), level)
end

--- Calls the host; what it has to complain of is said about the world's line.
local function ask(name, ...)
  local results = table.pack(pcall(host[name], ...))
  if results[1] then return table.unpack(results, 2, results.n) end
  local message = type(results[2]) == "table" and results[2].message or tostring(results[2])
  return complain("%s", (message:gsub("^[^\n]-:%d+: ", "")))
end

local function shown(value)
  if type(value) == "string" then return string.format("%q", value) end
  return type(value) == "nil" and "nothing" or type(value) == "table" and "a table" or tostring(value)
end

local function need(what, value, kind, expected)
  if type(value) ~= kind then complain("%s: %s expected, got %s", what, expected or kind, shown(value)) end
  return value
end

local function optional(what, value, kind, expected)
  if value ~= nil then need(what, value, kind, expected) end
  return value
end

local function whole(what, value, least, most)
  if math.type(value) ~= "integer" or value < least or value > most then
    complain("%s: a whole number from %d to %d expected, got %s", what, least, most, shown(value))
  end
  return value
end

local function seconds(what, value)
  if type(value) ~= "number" or value ~= value or value < 0 then
    complain("%s: seconds expected, got %s", what, shown(value))
  end
  return value + 0.0
end

local function uuid(what, value)
  local long = type(value) == "string" and host.uuid(value)
  return long or complain("%s: a UUID expected, got %s", what, shown(value))
end

local function uuids(what, list)
  local result = {}
  for i, value in ipairs(optional(what, list, "table", "a list of UUIDs") or {}) do result[i] = uuid(what, value) end
  return result
end

local function allow(what, options, names)
  for key in pairs(options) do
    if type(key) == "string" and not names[key] then complain("%s: there is no field '%s'", what, key) end
  end
end

local function set(words)
  local result = {}
  for word in words:gmatch "%S+" do result[word] = true end
  return result
end

-- Answers ---------------------------------------------------------------------------------------------------------

local Answer = {}

local function answer(fields) return setmetatable(fields, Answer) end

--- What an `on_read` or `on_write` returned, as the host wants it: kind, value, delay.
local function told(what, value, is_read)
  if getmetatable(value) == Answer then
    if value.kind == "later" then
      local kind, result = told(what, value.value, is_read)
      return kind, result, value.delay
    end
    return value.kind, value.value, 0
  end
  if is_read then
    if type(value) == "string" then return "value", value, 0 end
    complain("%s returned %s; bytes, sim.att, sim.later or sim.never expected", what, shown(value))
  end
  if value == nil or value == true then return "value", "", 0 end
  return complain("%s returned %s; nothing, sim.att, sim.later or sim.never expected", what, shown(value))
end

local sim = {
  --- No answer at all: the central gives up after 30 s.
  never = answer { kind = "never" },
}

--- An ATT error as an answer.
function sim.att(code) return answer { kind = "att", value = whole("sim.att", code, 1, 255) } end

--- An answer that takes its time.
function sim.later(delay, value)
  return answer { kind = "later", delay = seconds("sim.later", delay), value = value }
end

--- In a "connect" handler: this connection fails, with BlueZ's text.
function sim.fail(text) return answer { kind = "fail", value = need("sim.fail", text, "string") } end

-- Time ------------------------------------------------------------------------------------------------------------

local Timer = {}
Timer.__index = Timer

function Timer:cancel() host.cancel(self.id) end

local function timer(name, delay, fn)
  seconds(name, delay)
  need(name, fn, "function", "a function")
  return setmetatable({ id = host[name:match "%a+$"](delay, fn) }, Timer)
end

function sim.after(delay, fn) return timer("sim.after", delay, fn) end

function sim.every(delay, fn)
  if delay == 0 then complain("sim.every: more than 0 seconds expected") end
  return timer("sim.every", delay, fn)
end

--- Seconds on the world's clock.
function sim.time() return host.time() end

-- Adapters --------------------------------------------------------------------------------------------------------

local Adapter = {}
Adapter.__index = Adapter

function Adapter:power(on) ask("power", self.name, need("power", on, "boolean")) end
function Adapter:unplug() ask("plug", self.name, false) end
function Adapter:plug() ask("plug", self.name, true) end

local adapters = {}

local function adapter(options)
  need("sim.adapter", options, "table", "a table")
  allow("sim.adapter", options, set "name address powered plugged")
  local name = optional("name", options.name, "string") or "hci" .. #adapters
  if not name:match "^hci%d+$" then complain("name: 'hci' and a number expected, got %s", shown(name)) end
  local address = optional("address", options.address, "string") or string.format("AA:BB:CC:00:00:%02X", #adapters + 1)
  if not address:match "^%x%x:%x%x:%x%x:%x%x:%x%x:%x%x$" then complain("address: AA:BB:CC:DD:EE:FF expected, got %s", shown(address)) end
  ask("adapter", name, address:upper(), options.powered ~= false, options.plugged ~= false)
  local made = setmetatable({ name = name }, Adapter)
  adapters[#adapters + 1] = made
  adapters[name] = made
  return made
end

--- `sim.adapter{ … }` makes one; `sim.adapter:power(false)` and the like are about the first. A world that makes none has hci0.
sim.adapter = setmetatable({}, {
  __call = function(_, options) return adapter(options) end,
  __index = function(_, name)
    local first = adapters[1] or adapter {}
    local method = Adapter[name]
    if not method then return first[name] end
    return function(_, ...) return method(first, ...) end
  end,
})

-- bluetoothd ------------------------------------------------------------------------------------------------------

sim.bluetoothd = {}
for _, verb in ipairs { "start", "stop", "restart", "crash" } do
  sim.bluetoothd[verb] = function() ask("bluetoothd", verb) end
end

-- GATT ------------------------------------------------------------------------------------------------------------

local Characteristic, Descriptor = {}, {}

local function hold(class)
  class.__index = function(self, key)
    if key == "value" then return ask("value", self.peripheral, self.value_handle) end
    return class[key]
  end
  class.__newindex = function(self, key, value)
    if key ~= "value" then complain("there is no field '%s' to be set", tostring(key)) end
    ask("set_value", self.peripheral, self.value_handle, need("value", value, "string", "bytes"))
  end
end
hold(Characteristic)
hold(Descriptor)

function Characteristic:notify(bytes)
  return ask("notify", self.peripheral, self.value_handle, need("notify", bytes, "string", "bytes"), false)
end

function Characteristic:indicate(bytes)
  return ask("notify", self.peripheral, self.value_handle, need("indicate", bytes, "string", "bytes"), true)
end

local function handlers(what, options)
  local on_read, on_write = options.on_read, options.on_write
  optional("on_read", on_read, "function", "a function")
  optional("on_write", on_write, "function", "a function")
  return on_read and function() return told(what .. ": on_read", on_read(), true) end,
    on_write and function(value) return told(what .. ": on_write", on_write(value), false) end
end

local function security(options)
  return options.authenticated and 2 or options.encrypted and 1 or 0
end

function Characteristic:descriptor(options)
  if type(options) == "string" then options = { options } end
  need("descriptor", options, "table", "a table")
  allow("descriptor", options, set "value on_read on_write handle max encrypted authenticated")
  local id = uuid("descriptor", options[1])
  local words = {}
  for i = 2, #options do words[options[i]] = true end
  local on_read, on_write = handlers("descriptor " .. options[1], options)
  local value = optional("value", options.value, "string", "bytes") or ""
  local handle = ask("descriptor", self.peripheral, self.handle, id, value, options.handle or 0,
    #options == 1 or words.read == true, words.write == true, options.max or 512, security(options))
  if on_read or on_write then ask("handlers", self.peripheral, handle, on_read, on_write) end
  return setmetatable({ peripheral = self.peripheral, value_handle = handle, handle = handle, uuid = id }, Descriptor)
end

local Service = {}
Service.__index = Service

local flags = set [[broadcast read write-without-response write notify indicate authenticated-signed-writes
  extended-properties reliable-write writable-auxiliaries]]

function Service:characteristic(options)
  if type(options) == "string" then options = { options, "read" } end
  need("characteristic", options, "table", "a table")
  allow("characteristic", options,
    set "id value on_read on_write handle max encrypted authenticated refuse_subscription")
  local id = uuid("characteristic", options[1])
  local properties = {}
  for i = 2, #options do
    local flag = tostring(options[i]):gsub("_", "-")
    if not flags[flag] then complain("characteristic %s: there is no property %s", options[1], shown(options[i])) end
    properties[i - 1] = flag
  end
  if #properties == 0 then complain("characteristic %s: at least one property such as \"read\" expected", options[1]) end
  local on_read, on_write = handlers("characteristic " .. options[1], options)
  local refusal = options.refuse_subscription and whole("refuse_subscription", options.refuse_subscription, 1, 255)
  local value = optional("value", options.value, "string", "bytes") or ""
  local handle = ask("characteristic", self.peripheral.number, self.index, id, properties, value,
    options.handle or 0, options.max or 512, security(options), refusal or 0)
  local made = setmetatable({
    peripheral = self.peripheral.number, handle = handle, value_handle = handle + 1, uuid = id, id = options.id,
  }, Characteristic)
  if on_read or on_write then ask("handlers", made.peripheral, handle + 1, on_read, on_write) end
  table.insert(self.peripheral.characteristics, made)
  return made
end

-- Peripherals -----------------------------------------------------------------------------------------------------

local Peripheral = {}
local peripherals = {}

Peripheral.__index = function(self, key)
  if key == "connected" then return ask("is_connected", self.number) end
  return Peripheral[key]
end

for _, verb in ipairs { "disconnect", "lose", "hide", "show", "mute", "unmute" } do
  Peripheral[verb] = function(self) ask("act", self.number, verb) end
end

local events = set "connect disconnect subscribe unsubscribe"

--- "connect" gets the count of connections and may return `sim.fail`; "subscribe" and "unsubscribe" the characteristic.
function Peripheral:on(event, fn)
  if not events[event] then complain("on: connect, disconnect, subscribe or unsubscribe expected, got %s", shown(event)) end
  need("on", fn, "function", "a function")
  if not self.handlers then
    self.handlers = {}
    ask("on", self.number, function(name, value)
      local about = value
      if name ~= "connect" and value then
        for _, characteristic in ipairs(self.characteristics) do
          if characteristic.handle == value then about = characteristic end
        end
      end
      for _, handler in ipairs(self.handlers[name] or {}) do
        local result = handler(about)
        if getmetatable(result) == Answer and result.kind == "fail" then return result.value end
      end
      return nil
    end)
  end
  self.handlers[event] = self.handlers[event] or {}
  table.insert(self.handlers[event], fn)
  return self
end

function Peripheral:service(first, options)
  if type(first) == "table" then first, options = first[1], first end
  options = options or {}
  allow("service", options, set "primary handle includes")
  local includes = {}
  for i, included in ipairs(options.includes or {}) do
    if getmetatable(included) ~= Service then complain("includes: services of this peripheral expected") end
    includes[i] = included.index
  end
  local id = uuid("service", first)
  local index, handle = ask("service", self.number, id, options.handle or 0, options.primary ~= false, includes)
  return setmetatable({ peripheral = self, index = index, handle = handle, uuid = id }, Service)
end

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
  for company, bytes in pairs(optional("manufacturer_data", options.manufacturer_data, "table", "{ [company] = bytes }") or {}) do
    manufacturer[whole("manufacturer_data", company, 0, 0xffff)] = need("manufacturer_data", bytes, "string", "bytes")
  end
  for id, bytes in pairs(optional("service_data", options.service_data, "table", "{ [uuid] = bytes }") or {}) do
    service[uuid("service_data", id)] = need("service_data", bytes, "string", "bytes")
  end
  return {
    name = optional("name", options.name, "string"),
    services = uuids(what .. ": services", options.services),
    manufacturer_data = manufacturer,
    service_data = service,
    tx_power = options.tx_power and whole("tx_power", options.tx_power, -127, 126),
    appearance = options.appearance and whole("appearance", options.appearance, 0, 0xffff),
  }
end

function sim.peripheral(options)
  need("sim.peripheral", options, "table", "a table")
  allow("sim.peripheral", options, set [[id address address_type name rssi interval flags services manufacturer_data
    service_data tx_power appearance scan_response connectable mtu pairing gatt]])
  local address = need("address", options.address, "string", "an address")
  if not address:match "^%x%x:%x%x:%x%x:%x%x:%x%x:%x%x$" then complain("address: AA:BB:CC:DD:EE:FF expected, got %s", shown(address)) end
  local kind = options.address_type or "random"
  if kind ~= "random" and kind ~= "public" then complain("address_type: \"random\" or \"public\" expected, got %s", shown(kind)) end
  local response = optional("scan_response", options.scan_response, "table", "a table")
  if response then
    allow("scan_response", response, set "name services manufacturer_data service_data tx_power appearance")
  end
  local pairing = optional("pairing", options.pairing, "table", "a table") or {}
  allow("pairing", pairing, set "passkey refuse")
  local advertisement = fields("sim.peripheral", options)
  if options.flags ~= false then advertisement.flags = whole("flags", options.flags or 0x06, 0, 255) end
  local connectable = options.connectable ~= false
  local id = optional("id", options.id, "string") or options.name and options.name:lower() or address:upper()
  local number = ask("peripheral", {
    address = address:upper(), address_type = kind, id = id,
    name = options.name or response and response.name or "",
    rssi = whole("rssi", options.rssi or -60, -127, 20),
    interval = math.max(0.01, seconds("interval", options.interval or 0.1)),
    connectable = connectable, mtu = whole("mtu", options.mtu or 517, 23, 517), gatt = connectable and options.gatt ~= false,
    passkey = pairing.passkey and whole("passkey", pairing.passkey, 0, 999999), refuse = pairing.refuse == true,
    advertisement = advertisement, scan_response = response and fields("scan_response", response),
  })
  local made = setmetatable({
    number = number, address = address:upper(), name = options.name, id = id, characteristics = {},
  }, Peripheral)
  peripherals[id] = made
  return made
end

--- Changes what it advertises: the fields given take the place of those that were.
function Peripheral:advertise(options)
  need("advertise", options, "table", "a table")
  allow("advertise", options, set "name services manufacturer_data service_data tx_power appearance flags rssi")
  local changes = fields("advertise", options)
  for _, field in ipairs { "services", "manufacturer_data", "service_data" } do
    if options[field] == nil then changes[field] = nil end
  end
  changes.flags = options.flags and whole("flags", options.flags, 0, 255)
  changes.rssi = options.rssi and whole("rssi", options.rssi, -127, 20)
  ask("advertise", self.number, changes)
end

--- Adds a manufacturer's field; those that were there stay.
function Peripheral:add_manufacturer_data(company, bytes)
  ask("add_manufacturer_data", self.number, whole("company", company, 0, 0xffff), need("data", bytes, "string", "bytes"))
end

-- Faults ----------------------------------------------------------------------------------------------------------

--- Something goes wrong at a step: `sim.fault{ on = "ReadValue", characteristic = c, nth = 2, error = "org.bluez.Error.Failed" }`.
function sim.fault(options)
  need("sim.fault", options, "table", "a table")
  allow("sim.fault", options, set [[on path peripheral characteristic nth times error message delay silent disconnect lose
    power_off crash run]])
  local who, what = options.peripheral, options.characteristic
  local name = optional("error", options.error, "string", "a D-Bus error name")
  if name and not name:find(".", 1, true) then name = "org.bluez.Error." .. name end
  ask("fault", {
    on = need("on", options.on, "string", "a method such as \"ReadValue\""),
    path = optional("path", options.path, "string"),
    address = type(who) == "table" and who.address or optional("peripheral", who, "string", "a peripheral"),
    uuid = type(what) == "table" and what.uuid or what and uuid("characteristic", what),
    nth = whole("nth", options.nth or 1, 1, 1000000), times = options.times and whole("times", options.times, 1, 1000000),
    error = name, message = optional("message", options.message, "string") or "",
    delay = options.delay and seconds("delay", options.delay),
    silent = options.silent == true, disconnect = options.disconnect == true, lose = options.lose == true,
    power_off = options.power_off == true, crash = options.crash == true,
  }, optional("run", options.run, "function", "a function"))
end

--- Takes all faults back.
function sim.no_faults() ask "no_faults" end

-- Orders ----------------------------------------------------------------------------------------------------------

local custom

--- `fn(line)` is asked first; unless it returns true, the order is one of the usual ones.
function sim.order(fn) custom = need("sim.order", fn, "function", "a function") end

local function hex(text)
  text = text or ""
  if text:find "[^%x]" or #text % 2 == 1 then error("bytes in hexadecimal expected, got " .. shown(text), 0) end
  return (text:gsub("%x%x", function(digits) return string.char(tonumber(digits, 16)) end))
end

local function known(who, reference)
  local found = who:characteristic(reference)
  if not found then error("there is no characteristic " .. shown(reference), 0) end
  return found
end

local verbs = {
  notify = function(who, reference, bytes) known(who, reference):notify(hex(bytes)) end,
  indicate = function(who, reference, bytes) known(who, reference):indicate(hex(bytes)) end,
  set = function(who, reference, bytes) known(who, reference).value = hex(bytes) end,
  manufacturer = function(who, company, bytes)
    who:add_manufacturer_data(tonumber(company, 16) or error("a company's number in hexadecimal expected", 0), hex(bytes))
  end,
}
for verb in pairs(set "disconnect lose hide show mute unmute") do
  verbs[verb] = function(who) who[verb](who) end
end

host.on_order(function(line)
  if custom and custom(line) then return end
  local words = {}
  for word in line:gmatch "%S+" do words[#words + 1] = word end
  local who, verb = words[1], words[2]
  if not verb then error("WHO VERB [ARGUMENT …] expected", 0) end
  if who == "bluetoothd" and sim.bluetoothd[verb] then return sim.bluetoothd[verb]() end
  if adapters[who] then
    if verb == "plug" or verb == "unplug" then return adapters[who][verb](adapters[who]) end
    if verb == "power" then return adapters[who]:power(words[3] == "on") end
  elseif peripherals[who] and verbs[verb] then
    return verbs[verb](peripherals[who], table.unpack(words, 3))
  end
  error(string.format("nobody here knows the order '%s'", line), 0)
end)

--- Called when the world has been read.
host.on_ready(function()
  if not adapters[1] then adapter {} end
end)

return setmetatable(sim, {
  __index = function(_, key)
    if key == "denied" then return host.denied() end
    return nil
  end,
  __newindex = function(_, key, value)
    if key ~= "denied" then complain("sim has no field '%s'", tostring(key)) end
    ask("denied", need("sim.denied", value, "boolean"))
  end,
})
