--- Stored records of glucose meters and oximeters, by the record access control point (2a52): write what is wanted,
-- collect what is notified, until the response is indicated.
--
--   local racp = require "racp"
--   for _, record in ipairs(racp.records(meter, { from = 12 })) do print(record.glucose_concentration) end
--
-- Which records: "all", "first", "last", { from = 12 }, { up_to = 20 }, { from = 12, up_to = 20 }; the numbers are
-- sequence numbers, or what `filter` says.
--
-- Options: `measurement` ("2a18"), `context` ("2a34" for "2a18", else none; false: none), `control` ("2a52"),
-- `as` ("auto"), `filter` (1), `timeout`: how long the device may be silent (30 s).

local codec = require "codec"
local complaint = require "codec.complaint"
local errors = require "ble.error"

local racp = {}

local REPORT, DELETE, ABORT, COUNT, COUNT_RESPONSE, RESPONSE = 1, 2, 3, 4, 5, 6
local NULL, ALL, UP_TO, FROM, RANGE, FIRST, LAST = 0, 1, 2, 3, 4, 5, 6
local SUCCESS, NO_RECORDS = 1, 6

local TIMEOUT = 30
local BUFFER = 65536 -- as many records as sequence numbers: none is dropped

-- What a response other than success means, and the code of the error.
local failures = {
  [2] = { "unsupported", "it does not support that operation" },
  [3] = { "invalid", "the operator is invalid" },
  [4] = { "unsupported", "it does not support that choice of records" },
  [5] = { "invalid", "the operand is invalid" },
  [7] = { "unavailable", "it could not abort" },
  [8] = { "unavailable", "it could not complete the procedure" },
  [9] = { "unsupported", "it does not support that filter" },
  [10] = { "busy", "it is busy" },
}

local named = { all = ALL, first = FIRST, last = LAST }

--- The operator and the operand for a choice of records.
local function selection(which, filter)
  if which == nil then which = "all" end
  if named[which] then return string.char(named[which]) end
  local from, up_to
  if type(which) == "table" then from, up_to = which.from, which.up_to end
  if from and up_to then return string.pack("<BBI2I2", RANGE, filter, from, up_to) end
  if from then return string.pack("<BBI2", FROM, filter, from) end
  if up_to then return string.pack("<BBI2", UP_TO, filter, up_to) end
  return complaint.argument("which", '"all", "first", "last" or { from = n, up_to = n }', which)
end

local function settings(options)
  local given = options or {}
  local measurement = given.measurement or "2a18"
  local context = given.context
  if context == nil and measurement == "2a18" then context = "2a34" end
  return {
    measurement = measurement, context = context, control = given.control or "2a52", as = given.as or "auto",
    filter = given.filter or 1, timeout = given.timeout or TIMEOUT,
  }
end

local function fail(device, ref, code, what)
  errors.raise {
    code = code, op = "racp", device = device.address, ref = ref, stage = "exchange", retryable = code == "busy",
    message = ("racp: %s on %s: %s (step: control point)"):format(ref, device.address, what),
  }
end

--- What has come by now, added to the list; whether anything had.
local function drain(subscription, list)
  local before = #list
  while true do
    local good, value = pcall(subscription._next, subscription, 0)
    if not good and value.code ~= "timeout" then error(value, 0) end
    if not good or value == nil then return #list > before end
    list[#list + 1] = value
  end
end

--- The next thing that the control point says. Waits on as long as `busy()` says that records come.
local function answer(device, control, set, busy)
  while true do
    local good, value = pcall(control._next, control, set.timeout)
    if good and value then return value end
    if good then fail(device, set.control, "cancelled", "the subscription was cancelled") end
    if value.code ~= "timeout" then error(value, 0) end
    if not busy() then
      pcall(device.write, device, set.control, string.char(ABORT, NULL), { timeout = set.timeout })
      fail(device, set.control, "timeout", ("it was silent for %g s and did not end its answer"):format(set.timeout))
    end
  end
end

--- Checks a response; returns whether there were records.
local function check(device, set, request, value)
  local opcode, status = value:byte(1), value:byte(4)
  if opcode == RESPONSE and value:byte(3) == ABORT and request ~= ABORT then
    fail(device, set.control, "cancelled", "it was told to abort")
  end
  if opcode ~= RESPONSE or #value ~= 4 or value:byte(3) ~= request then
    fail(device, set.control, "decode", "that is no response to the request" .. complaint.dump(value))
  end
  if status == SUCCESS or status == NO_RECORDS then return status == SUCCESS end
  local failure = failures[status] or { "unavailable", ("it answers with status %d"):format(status) }
  return fail(device, set.control, failure[1], failure[2])
end

local function never() return false end

--- Writes a request and returns the control point's answer to it.
local function ask(device, set, request, busy)
  local control <close> = device:_subscribe(set.control, { timeout = set.timeout })
  device:write(set.control, request, { timeout = set.timeout, response = true })
  return answer(device, control, set, busy)
end

local function decoded(list, as, ref)
  local values = {}
  for i, bytes in ipairs(list) do values[i] = codec.decode(as, bytes, as == "auto" and ref or nil) end
  return values
end

--- Gives each measurement its context, by sequence number.
local function join(records, contexts)
  local by_number = {}
  for _, context in ipairs(contexts) do by_number[context.sequence_number] = context end
  for _, record in ipairs(records) do record.context = by_number[record.sequence_number] end
  return records
end

local function has(device, ref)
  return ref and pcall(device.characteristic, device, ref)
end

--- The records, in the device's order, each with its `context` if it has one. None is an empty list.
function racp.records(device, which, options)
  local set = settings(options)
  local request = string.char(REPORT) .. selection(which, set.filter)
  local measurements, contexts = {}, {}
  local notified <close> = device:_subscribe(set.measurement, { timeout = set.timeout, buffer = BUFFER })
  local context <close> = has(device, set.context)
    and device:_subscribe(set.context, { timeout = set.timeout, buffer = BUFFER }) or nil

  local function collect()
    local some = drain(notified, measurements)
    return context and drain(context, contexts) or some
  end

  check(device, set, REPORT, ask(device, set, request, collect))
  collect()
  local records = decoded(measurements, set.as, device:characteristic(set.measurement).uuid)
  if not context then return records end
  return join(records, decoded(contexts, set.as, device:characteristic(set.context).uuid))
end

--- How many records there are.
function racp.count(device, which, options)
  local set = settings(options)
  local value = ask(device, set, string.char(COUNT) .. selection(which, set.filter), never)
  if #value == 4 and value:byte(1) == COUNT_RESPONSE then return (string.unpack("<I2", value, 3)) end
  check(device, set, COUNT, value)
  return 0
end

--- Deletes records; returns whether there were any.
function racp.delete(device, which, options)
  local set = settings(options)
  return check(device, set, DELETE, ask(device, set, string.char(DELETE) .. selection(which, set.filter), never))
end

--- Has the device stop what another task of the script asked for.
function racp.abort(device, options)
  local set = settings(options)
  device:write(set.control, string.char(ABORT, NULL), { timeout = set.timeout, response = true })
end

return racp
