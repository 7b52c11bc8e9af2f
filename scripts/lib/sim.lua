--- The language of virtual worlds: what is in the air, what it answers, what goes wrong.
-- The host (Sources/Simulator/World) keeps the world itself; here is how it is said, and what is said about mistakes.
local adapter = require "sim.adapter"
local answer = require "sim.answer"
local check = require "sim.check"
local host = require "sim.host"
local orders = require "sim.orders"
local peripheral = require "sim.peripheral"

local sim = {
  --- `sim.adapter{ … }` makes one; `sim.adapter:power(false)` and the like are about the first.
  adapter = adapter.callable,
  bluetoothd = require "sim.bluetoothd",
  peripheral = peripheral.make,
  --- No answer at all: the central gives up after 30 s.
  never = answer.never,
  --- An ATT error as an answer.
  att = answer.att,
  --- An answer that takes its time.
  later = answer.later,
  --- In a "connect" handler: this connection fails, with BlueZ's text.
  fail = answer.fail,
  --- `fn(line)` is asked first; unless it returns true, the order is one of the usual ones.
  order = orders.set,
}

local Timer = {}
Timer.__index = Timer

function Timer:cancel() host.cancel(self.id) end

local function timer(name, delay, fn)
  check.seconds(name, delay)
  check.need(name, fn, "function", "a function")
  return setmetatable({ id = host[name:match "%a+$"](delay, fn) }, Timer)
end

function sim.after(delay, fn) return timer("sim.after", delay, fn) end

function sim.every(delay, fn)
  if delay == 0 then check.complain("sim.every: more than 0 check.seconds expected") end
  return timer("sim.every", delay, fn)
end

--- Seconds on the world's clock.
function sim.time() return host.time() end

local faults = check.set [[on path peripheral characteristic nth times error message delay silent disconnect lose
  power_off crash run]]

--- Something goes wrong at a step: `sim.fault{ on = "ReadValue", characteristic = c, nth = 2, error = "Failed" }`.
function sim.fault(options)
  check.need("sim.fault", options, "table", "a table")
  check.allow("sim.fault", options, faults)
  local who, what = options.peripheral, options.characteristic
  local name = check.optional("error", options.error, "string", "a D-Bus error name")
  if name and not name:find(".", 1, true) then name = "org.bluez.Error." .. name end
  check.ask("fault", {
    on = check.need("on", options.on, "string", "a method such as \"ReadValue\""),
    path = check.optional("path", options.path, "string"),
    address = type(who) == "table" and who.address or check.optional("peripheral", who, "string", "a peripheral"),
    uuid = type(what) == "table" and what.uuid or what and check.uuid("characteristic", what),
    nth = check.whole("nth", options.nth or 1, 1, 1000000),
    times = options.times and check.whole("times", options.times, 1, 1000000),
    error = name, message = check.optional("message", options.message, "string") or "",
    delay = options.delay and check.seconds("delay", options.delay),
    silent = options.silent == true, disconnect = options.disconnect == true, lose = options.lose == true,
    power_off = options.power_off == true, crash = options.crash == true,
  }, check.optional("run", options.run, "function", "a function"))
end

--- Takes all faults back.
function sim.no_faults() check.ask "no_faults" end

return setmetatable(sim, {
  __index = function(_, key)
    if key == "denied" then return host.denied() end
    return nil
  end,
  __newindex = function(_, key, value)
    if key ~= "denied" then check.complain("sim has no field '%s'", tostring(key)) end
    check.ask("denied", check.need("sim.denied", value, "boolean"))
  end,
})
