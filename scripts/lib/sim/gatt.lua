--- Services, characteristics and descriptors of a peripheral.
local answer = require "sim.answer"
local check = require "sim.check"

local Characteristic, Descriptor = {}, {}

local function hold(class)
  class.__index = function(self, key)
    if key == "value" then return check.ask("value", self.peripheral, self.value_handle) end
    return class[key]
  end
  class.__newindex = function(self, key, value)
    if key ~= "value" then check.complain("there is no field '%s' to be set", tostring(key)) end
    check.ask("set_value", self.peripheral, self.value_handle, check.need("value", value, "string", "bytes"))
  end
end
hold(Characteristic)
hold(Descriptor)

function Characteristic:notify(bytes)
  return check.ask("notify", self.peripheral, self.value_handle, check.need("notify", bytes, "string", "bytes"), false)
end

function Characteristic:indicate(bytes)
  return check.ask("notify", self.peripheral, self.value_handle, check.need("indicate", bytes, "string", "bytes"), true)
end

local function handlers(what, options)
  local on_read, on_write = options.on_read, options.on_write
  check.optional("on_read", on_read, "function", "a function")
  check.optional("on_write", on_write, "function", "a function")
  return on_read and function() return answer.told(what .. ": on_read", on_read(), true) end,
    on_write and function(value) return answer.told(what .. ": on_write", on_write(value), false) end
end

local function security(options)
  return options.authenticated and 2 or options.encrypted and 1 or 0
end

function Characteristic:descriptor(options)
  if type(options) == "string" then options = { options } end
  check.need("descriptor", options, "table", "a table")
  check.allow("descriptor", options, check.set "value on_read on_write handle max encrypted authenticated")
  local id = check.uuid("descriptor", options[1])
  local words = {}
  for i = 2, #options do words[options[i]] = true end
  local on_read, on_write = handlers("descriptor " .. options[1], options)
  local value = check.optional("value", options.value, "string", "bytes") or ""
  local handle = check.ask("descriptor", self.peripheral, self.handle, id, value, options.handle or 0,
    #options == 1 or words.read == true, words.write == true, options.max or 512, security(options))
  if on_read or on_write then check.ask("handlers", self.peripheral, handle, on_read, on_write) end
  return setmetatable({ peripheral = self.peripheral, value_handle = handle, handle = handle, uuid = id }, Descriptor)
end

local Service = {}
Service.__index = Service

local flags = check.set [[broadcast read write-without-response write notify indicate authenticated-signed-writes
  extended-properties reliable-write writable-auxiliaries]]

function Service:characteristic(options)
  if type(options) == "string" then options = { options, "read" } end
  check.need("characteristic", options, "table", "a table")
  check.allow("characteristic", options,
    check.set "id value on_read on_write handle max encrypted authenticated refuse_subscription")
  local id = check.uuid("characteristic", options[1])
  local properties = {}
  for i = 2, #options do
    local flag = tostring(options[i]):gsub("_", "-")
    if not flags[flag] then
      check.complain("characteristic %s: there is no property %s", options[1], check.shown(options[i]))
    end
    properties[i - 1] = flag
  end
  if #properties == 0 then
    check.complain("characteristic %s: at least one property such as \"read\" expected", options[1])
  end
  local on_read, on_write = handlers("characteristic " .. options[1], options)
  local refusal = options.refuse_subscription
  if refusal then check.whole("refuse_subscription", refusal, 1, 255) end
  local value = check.optional("value", options.value, "string", "bytes") or ""
  local handle = check.ask("characteristic", self.peripheral.number, self.index, id, properties, value,
    options.handle or 0, options.max or 512, security(options), refusal or 0)
  local made = setmetatable({
    peripheral = self.peripheral.number, handle = handle, value_handle = handle + 1, uuid = id, id = options.id,
  }, Characteristic)
  if on_read or on_write then check.ask("handlers", made.peripheral, handle + 1, on_read, on_write) end
  table.insert(self.peripheral.characteristics, made)
  return made
end

--- Adds a service to a peripheral.
local function add_service(peripheral, first, options)
  if type(first) == "table" then first, options = first[1], first end
  options = options or {}
  check.allow("service", options, check.set "primary handle includes")
  local includes = {}
  for i, included in ipairs(options.includes or {}) do
    if getmetatable(included) ~= Service or included.peripheral ~= peripheral then
      check.complain("includes: services of this peripheral expected")
    end
    includes[i] = included.index
  end
  local id = check.uuid("service", first)
  local index, handle =
    check.ask("service", peripheral.number, id, options.handle or 0, options.primary ~= false, includes)
  return setmetatable({ peripheral = peripheral, index = index, handle = handle, uuid = id }, Service)
end

return { add_service = add_service }
