--- `ble.keep`: a connection that is made again whenever it is lost. What it survives: docs/recovery.md.

local argument = require "ble.argument"
local ble = require "ble"
local errors = require "ble.error"
local native = require "ble.native"
local task = require "task"
local new_group = require("task.native").group

-- A link that has lasted so many seconds was a good one: the pauses begin anew.
local STABLE = 10
-- Seconds that `fn` has to end by itself when the link is lost. Then it is cancelled.
local GRACE = 1

-- Codes that are about the way to the radio: they pass when it is back.
local of_radio = { adapter_off = true, no_adapter = true, unavailable = true }
-- Codes of a connect that fails for now.
local of_connecting = {
  busy = true, connect_failed = true, disconnected = true, limit = true, not_found = true, timeout = true,
}

-- Options ------------------------------------------------------------------------------------------------------------

local limits = {
  first = { 0.01, 86400 }, factor = { 1, 100 }, max = { 0.01, 86400 }, spread = { 0, 1 },
}

local function backoff_of(options)
  local backoff = argument.options("ble.keep", 2, options.backoff, "factor first max spread")
  for name, value in pairs(backoff) do
    local least, most = limits[name][1], limits[name][2]
    if type(value) ~= "number" or not (value >= least and value <= most) then
      argument.wrong("ble.keep", 2, "field 'backoff.%s': a number from %g to %g expected, got %s",
        name, least, most, tostring(value))
    end
  end
  backoff.first, backoff.factor = backoff.first or 1, backoff.factor or 2
  backoff.max, backoff.spread = math.max(backoff.first, backoff.max or 60), backoff.spread or 0.2
  return backoff
end

local function options_of(given)
  local options = argument.options("ble.keep", 2, given, "adapter attempts backoff on_retry timeout")
  argument.option("ble.keep", 2, options, "adapter", "string")
  argument.option("ble.keep", 2, options, "attempts", "number")
  argument.option("ble.keep", 2, options, "timeout", "number")
  argument.option("ble.keep", 2, options, "on_retry", "function")
  options.backoff = backoff_of(options)
  return options
end

--- Seconds before the next attempt after so many failures in a row. Spread, so that many who have lost the same thing
-- at the same time don't all come back at the same time.
local function pause_after(failures, backoff)
  local pause = math.min(backoff.first * backoff.factor ^ (failures - 1), backoff.max)
  return pause * (1 + backoff.spread * (2 * math.random() - 1))
end

-- One connection -----------------------------------------------------------------------------------------------------

--- Whether an error that `fn` raised is one that connecting again may heal. `loss`: why the link went, if it did.
local function is_about_link(err, device, loss)
  if not errors.is(err) then return false end
  if loss or of_radio[err.code] then return true end
  return err.device == device.address and (err.code == "disconnected" or err.retryable == true)
end

--- The link went between the connect and the first look: nobody was told.
local function lost_at_once(device)
  return errors.new {
    code = "disconnected", op = "keep", device = device.address, stage = "connect", retryable = true,
    message = ("keep on %s: the link was lost as soon as it was up (step: connect)"):format(device.address),
  }
end

--- Runs `fn` until it has ended, or the link has. Gives nil and what it returned, or why to connect again.
local function run(device, fn)
  local loss
  local losses <close> = device:_disconnects()
  if not device.connected then return lost_at_once(device) end
  local group <close> = new_group()
  group:start(fn, device)
  group:start(function()
    loss = losses:next()
    task.sleep(GRACE)
  end)
  local results = table.pack(pcall(group.next, group))
  -- `fn` may have been woken by the loss a moment before the other one is: the next timer fires after both.
  task.sleep(0)
  local ok, first = results[1], results[2]
  if not ok then
    if is_about_link(first, device, loss) then return first end
    error(first, 0)
  end
  -- A return after our own disconnect is the end; after a loss it is not (think of `subscription:wait()`).
  if first == 1 and (not loss or loss.reason == "local") then return nil, table.unpack(results, 3, results.n) end
  return loss
end

--- Connects, and runs `fn`. Gives what `run` gives, preceded by the seconds that the link lasted.
local function connect_and_run(target, options, fn)
  local ok, device = pcall(ble.connect, target, {
    timeout = options.timeout, attempts = options.attempts, adapter = options.adapter,
  })
  if not ok then
    local err = device
    if errors.is(err) and (of_radio[err.code] or of_connecting[err.code]) then return 0, err end
    error(err, 0)
  end
  local _ <close> = device
  local start = task.now()
  local results = table.pack(run(device, fn))
  return task.now() - start, table.unpack(results, 1, results.n)
end

-- Again and again ----------------------------------------------------------------------------------------------------

--- Waits until there is a radio; not for ever, so that the next attempt says what is wrong with it.
local function await_radio(options)
  pcall(native.ready, { adapter = options.adapter, timeout = options.backoff.max })
end

local function keep(target, options, fn)
  local failures = 0
  while true do
    local results = table.pack(connect_and_run(target, options, fn))
    local lasted, err = results[1], results[2]
    if not err then return table.unpack(results, 3, results.n) end
    failures = lasted >= STABLE and 1 or failures + 1
    local pause = pause_after(failures, options.backoff)
    if options.on_retry then options.on_retry(err, pause) end
    task.sleep(pause)
    await_radio(options)
  end
end

--- An adapter that was not named by the script, but came with a device: it may come back under another name.
local function address_of(name)
  local ok, adapter = pcall(native.adapter, name)
  return ok and adapter.address or name
end

--- `adapter`: the one that the target came with, or nil.
return function(target, adapter, options, fn)
  if type(options) == "function" and fn == nil then options, fn = nil, options end
  if type(target) ~= "string" and type(target) ~= "table" then
    argument.wrong("ble.keep", 1, "address, advertisement, device or filter expected, got %s", native.type(target))
  end
  argument.need("ble.keep", 3, fn, "function")
  options = options_of(options)
  return task.spawn(function()
    if type(target) == "table" then options.adapter = target.adapter or options.adapter end
    if adapter and not options.adapter then options.adapter = address_of(adapter) end
    return keep(target, options, fn)
  end)
end
