--- For the tests of `ble.keep`: one that listens, and what can be asked of it.
local ble = require "ble"
local lab = require "support.lab"
local task = require "task"

local keeping = {}

keeping.quick = { first = 0.2, max = 2 }

--- Keeps lab's `notify`: counts connections, and notes each value.
function keeping.listen(target, options)
  local log = { values = {}, errors = {}, connections = 0 }
  options = options or {}
  options.backoff = options.backoff or keeping.quick
  options.on_retry = function(err, pause) log.errors[#log.errors + 1] = { err.code, pause } end
  log.task = ble.keep(target, options, function(dev)
    log.connections, log.device = log.connections + 1, dev
    local subscription <close> = dev:subscribe(lab.notify, function(value) log.values[#log.values + 1] = value end)
    log.listening = log.connections
    subscription:wait()
  end)
  return log
end

--- Waits for connection number `number`, and sees that a value comes, and comes once.
function keeping.hears(t, log, number, limit)
  t.eventually(function() return log.listening == number end, limit or 30, "connection " .. number)
  local before = #log.values
  t.order(string.format("lab notify notify %02x", number))
  t.eventually(function() return #log.values > before end, 3, "a value on connection " .. number)
  task.sleep(0.3)
  t.equal(#log.values, before + 1, "each value once")
  t.equal(log.values[#log.values], string.char(number))
end

--- Cancels, and sees that the link goes down.
function keeping.ends(t, log)
  log.task:cancel()
  t.equal(log.task.status, "cancelled")
  t.eventually(function() return not log.device.connected end, 6, "the link goes down")
  t.eventually(function() return not ble.adapter(log.device.adapter).discovering end, 5)
  t.equal(#ble.discover { address = lab.lab, timeout = 3, count = 1 }, 1, "the device advertises")
end

return keeping
