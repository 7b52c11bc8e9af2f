-- The module `ble`. What waits for the radio is in `ble.native`; what is made of other calls is here.
local argument = require "ble.argument"
local codec = require "codec"
local decoders = require "ble.decoders"
local errors = require "ble.error"
local native = require "ble.native"
local task = require "task"

local ble = {
  adapters = native.adapters,
  adapter = native.adapter,
  keys = decoders.keys,
  ready = native.ready,
  state = native.state,
  uuid = native.uuid,
}

--- Calls `fn` with each event, in a task of its own that does not keep the script alive.
local function handle(events, fn)
  task.background(function()
    while true do
      local event = events:next()
      if event == nil then return end
      fn(event)
    end
  end)
  return events
end

--- Calls `fn(state)` at each change of the state of the adapter in use. Returns a handle with `:cancel()`.
function ble.on(event, fn)
  if event ~= "state" then argument.wrong("ble.on", 1, '"state" expected, got %s', event) end
  argument.need("ble.on", 2, fn, "function")
  return handle(native._state_changes(), fn)
end

-- Advertisements

local Advertisement = {}

function Advertisement.__index(adv, key)
  if key == "decode" then return decoders.decode end
  if key == "device" then return native._known_device(adv.address, adv.adapter) end
end

function Advertisement.__tostring(adv)
  return string.format("advertisement of %s%s%s", adv.address, adv.name and ' "' .. adv.name .. '"' or "",
    adv.rssi and ", " .. adv.rssi .. " dBm" or "")
end

-- A pattern is a function that asks for the name; so `ble.native` needs to know only functions.
local function with_patterns(call, filter)
  local copy = {}
  for key, value in pairs(filter) do copy[key] = value end
  for _, list in ipairs { "any", "except" } do
    if type(copy[list]) == "table" then
      local filters = {}
      for i, inner in ipairs(copy[list]) do
        filters[i] = type(inner) == "table" and with_patterns(call, inner) or inner
      end
      copy[list] = filters
    end
  end
  local pattern, where = copy.pattern, copy.where
  if type(where) == "function" then
    copy.where = function(adv) return where(setmetatable(adv, Advertisement)) end
  end
  if pattern ~= nil then
    argument.option(call, 1, copy, "pattern", "string")
    -- A malformed one is an error here, not at the first advertisement.
    local is_good, fault = pcall(string.find, "", pattern)
    if not is_good then argument.wrong(call, 1, "field 'pattern': %s", fault) end
    copy.pattern = nil
    if where ~= nil and type(where) ~= "function" then return copy end -- `ble.native` says what is wrong with it
    local also = copy.where
    copy.where = function(adv)
      return adv.name ~= nil and adv.name:find(pattern) ~= nil and (also == nil or also(adv))
    end
  end
  return copy
end

local function open_scan(call, filter)
  return native.scan(filter and with_patterns(call, argument.need(call, 1, filter, "table")))
end

local function next_advertisement(scan)
  local adv = scan:next()
  return adv and setmetatable(adv, Advertisement)
end

--- An iterator over what is heard. Leaving the loop in any way stops the scan.
function ble.scan(filter)
  local scan = open_scan("ble.scan", filter)
  return next_advertisement, scan, nil, scan
end

local FIND_TIMEOUT = 10

local function with_timeout(call, filter, timeout)
  local copy = {}
  for key, value in pairs(argument.need(call, 1, filter or {}, "table")) do copy[key] = value end
  copy.timeout = copy.timeout or timeout
  return copy
end

local function not_found(filter)
  local wanted = filter.address or filter.name or filter.name_prefix or "a device that matches the filter"
  return errors.new {
    code = "not_found", op = "find", stage = "scan", device = filter.address, retryable = true,
    message = string.format("find: %s was not seen within %g s (step: scan)", wanted, filter.timeout),
    advice = "is it on, in range, and not connected to something else?",
  }
end

--- The first advertisement that matches, and the scan that heard it, still open.
local function first_match(call, filter, timeout)
  filter = with_timeout(call, filter, timeout)
  local scan = open_scan(call, filter)
  local adv = next_advertisement(scan)
  if not adv then
    scan:cancel()
    error(not_found(filter))
  end
  return adv, scan
end

--- The first advertisement that matches; `not_found` when none came in time.
function ble.find(filter)
  local adv, scan = first_match("ble.find", filter, FIND_TIMEOUT)
  scan:cancel()
  return adv
end

--- All devices that match, the strongest first.
function ble.discover(filter)
  local by_address, list = {}, {}
  for adv in ble.scan(with_timeout("ble.discover", filter, FIND_TIMEOUT)) do
    local known = by_address[adv.address]
    if known then
      for key, value in pairs(adv) do known[key] = value end
    else
      by_address[adv.address] = adv
      list[#list + 1] = adv
    end
  end
  table.sort(list, function(a, b) return (a.rssi or -math.huge) > (b.rssi or -math.huge) end)
  return list
end

-- Devices

local Device = native.device_methods

local function is_device(value) return native.type(value) == "device" end

--- Names a device without connecting it.
function ble.device(address, options)
  options = argument.options("ble.device", 2, options, "adapter")
  if is_device(address) then return address end
  return native.device(address, options.adapter)
end

local function remaining(options, usual, start)
  local timeout = options.timeout or usual
  return math.max(0, timeout - (task.now() - start))
end

local CONNECT_TIMEOUT = 20

-- The first device that a filter matches.
local function connect_match(filter, options)
  local start = task.now()
  local timeout = options.timeout or CONNECT_TIMEOUT
  filter = with_timeout("ble.connect", filter, timeout)
  filter.adapter = filter.adapter or options.adapter
  local adv, scan = first_match("ble.connect", filter, timeout)
  -- BlueZ forgets what it does not hear: the scan goes on until the link is there.
  local _ <close> = scan
  local device = adv.device
  device:_connect { timeout = remaining(options, CONNECT_TIMEOUT, start), attempts = options.attempts }
  return device
end

--- Connects an address, an advertisement, a device, or the first device that matches a filter.
function ble.connect(target, options)
  options = argument.options("ble.connect", 2, options, "adapter attempts timeout")
  if getmetatable(target) == Advertisement then
    target = native.device(target.address, options.adapter or target.adapter, "connect")
  elseif type(target) == "table" then
    return connect_match(target, options)
  elseif type(target) == "string" then
    target = native.device(target, options.adapter, "connect")
  elseif not is_device(target) then
    argument.wrong("ble.connect", 1, "address, advertisement, device or filter expected, got %s", native.type(target))
  end
  target:_connect { timeout = options.timeout or CONNECT_TIMEOUT, attempts = options.attempts }
  return target
end

--- Connects, runs `fn(device)`, and disconnects however that ends. Returns what `fn` returns.
function ble.with(target, options, fn)
  if type(options) == "function" then options, fn = nil, options end
  argument.need("ble.with", 3, fn, "function")
  local device <close> = ble.connect(target, options)
  return fn(device)
end

--- Runs `fn(device)` at each connection, and connects again whenever the link is lost, until it is cancelled or `fn`
-- returns. Gives the task that does it.
function ble.keep(target, options, fn)
  local adapter
  if getmetatable(target) == Advertisement or is_device(target) then
    target, adapter = target.address, target.adapter
  end
  return require "ble.keep"(target, adapter, options, fn)
end

local handlers = { disconnect = "_disconnects", services = "_attribute_changes" }

--- Calls `fn` at each `"disconnect"` (with its reason, an error table) or change of the `"services"`.
function Device:on(event, fn)
  local watch = handlers[event]
  if not watch then
    argument.wrong("on", 1, '"disconnect" or "services" expected, got %s', event)
  end
  argument.need("on", 2, fn, "function")
  return handle(self[watch](self), fn)
end

-- Operations

-- Only "auto" needs to know which characteristic it is.
local function uuid_of(device, ref, as)
  if as ~= "auto" then return nil end
  return device:characteristic(ref).uuid
end

local function decode(device, ref, options, bytes)
  local as = options.as
  if as == nil then return bytes end
  return codec.decode(as, bytes, uuid_of(device, ref, as))
end

local function encode(device, ref, options, value)
  local as = options.as
  if as == nil then return value end
  return codec.encode(as, value, uuid_of(device, ref, as))
end

function Device:read(ref, options)
  options = argument.options("read", 2, options, "as offset timeout")
  return decode(self, ref, options, self:_read(ref, options))
end

function Device:write(ref, value, options)
  options = argument.options("write", 3, options, "as offset reliable response timeout")
  self:_write(ref, encode(self, ref, options, value), options)
end

function Device:read_descriptor(ref, uuid, options)
  options = argument.options("read_descriptor", 3, options, "as timeout")
  return decode(self, ref, options, self:_read_descriptor(ref, uuid, options))
end

function Device:write_descriptor(ref, uuid, value, options)
  options = argument.options("write_descriptor", 4, options, "as timeout")
  self:_write_descriptor(ref, uuid, encode(self, ref, options, value), options)
end

-- Subscriptions

local function subscribe(device, ref, options)
  return device:_subscribe(ref, { timeout = options.timeout, buffer = options.buffer })
end

--- Calls `fn(value)` with each notification, in order, in a task of its own that does not keep the script alive.
function Device:subscribe(ref, fn, options)
  argument.need("subscribe", 2, fn, "function")
  options = argument.options("subscribe", 3, options, "as buffer timeout")
  local subscription = subscribe(self, ref, options)
  task.background(function()
    while true do
      local ok, bytes = pcall(subscription._next, subscription)
      if not ok and bytes.code ~= "disconnected" then error(bytes, 0) end
      if not ok or bytes == nil then return end
      fn(decode(self, ref, options, bytes))
    end
  end)
  return subscription
end

--- An iterator over notifications. `timeout`: seconds that each may take; `count`: how many.
function Device:notifications(ref, options)
  options = argument.options("notifications", 2, options, "as buffer count timeout")
  local left = argument.option("notifications", 2, options, "count", "number") or math.huge
  local subscription = subscribe(self, ref, options)
  local function next_value()
    if left <= 0 then return nil end
    left = left - 1
    local bytes = subscription:_next(options.timeout)
    if bytes == nil then return nil end
    return decode(self, ref, options, bytes)
  end
  return next_value, nil, nil, subscription
end

--- Writes, then waits for the notification that answers. It subscribes first, so that none is missed.
-- `reply_on`: where the answer comes (default: where it was written); `match(bytes)`: whether it is the answer.
function Device:request(ref, bytes, options)
  options = argument.options("request", 3, options, "as match reply_on response timeout")
  argument.need("request", 2, bytes, "string")
  argument.option("request", 3, options, "match", "function")
  argument.option("request", 3, options, "timeout", "number")
  local start = task.now()
  local reply_on = options.reply_on or ref
  local usual = 10
  local subscription <close> = self:_subscribe(reply_on, { timeout = options.timeout })
  self:_write(ref, bytes, { timeout = remaining(options, usual, start), response = options.response })
  while true do
    local value = subscription:_next(remaining(options, usual, start))
    if options.match == nil or options.match(value) then return decode(self, reply_on, options, value) end
  end
end

-- The one-call forms: they connect if need be, and disconnect if they were the ones who connected.

local function one_call(target, options, run)
  local start = task.now()
  local device <close> = ble.connect(target, {
    timeout = options.timeout or CONNECT_TIMEOUT, attempts = options.attempts, adapter = options.adapter,
  })
  options.attempts, options.adapter = nil, nil
  if options.timeout then options.timeout = remaining(options, CONNECT_TIMEOUT, start) end
  return run(device, options)
end

function ble.read(target, ref, options)
  options = argument.options("ble.read", 3, options, "adapter as attempts offset timeout")
  return one_call(target, options, function(device, rest) return device:read(ref, rest) end)
end

function ble.write(target, ref, value, options)
  options = argument.options("ble.write", 4, options, "adapter as attempts offset reliable response timeout")
  return one_call(target, options, function(device, rest) return device:write(ref, value, rest) end)
end

return ble
