-- What an error is, and what it tells.
local ble = require "ble"
local errors = require "ble.error"
local lab = require "support.lab"
local test = require "test"

local world = { world = "lab" }

test("an error is a table with code and message, and prints as one text", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local err = t.raises(function() dev:read(lab.writeonly, { timeout = 5 }) end)
  t.equal(type(err), "table")
  t.ok(errors.is(err))
  t.equal(err.code, "att")
  t.equal(err.op, "read")
  t.equal(err.device, lab.lab)
  t.equal(err.ref, lab.writeonly)
  t.equal(err.stage, "exchange")
  t.equal(err.att, 2)
  t.equal(math.type(err.att), "integer")
  t.equal(err.retryable, false)
  t.equal(err.dbus, "org.bluez.Error.NotPermitted")
  t.ok(err.message:find("read", 1, true) and err.message:find(lab.lab, 1, true), err.message)
  t.ok(tostring(err):find(err.message, 1, true), tostring(err))
end)

test("the ATT code of an application error is kept, in the field and in words", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local err = t.raises("att", function() dev:write(lab.fault, "\x9f\0") end)
  t.equal(err.att, 0x9f)
  t.ok(err.message:lower():find "0x9f", err.message)
  err = t.raises("att", function() dev:read(lab.writeonly) end)
  t.ok(err.message:lower():find "not permitted", err.message)
end)

test("the advice says what to try", world, function(t)
  local function advice(fn) return t.raises(fn).advice or "" end
  local dev <close> = ble.connect(lab.lab)
  t.ok(advice(function() dev:read(lab.twin) end):find "handle")
  t.ok(advice(function() dev:read "2a19" end):find "services")
  t.ok(advice(function() dev:write(lab.command, ("x"):rep(600), { response = false }) end):find "response")
  t.ok(advice(function() ble.find { name = "Nobody", timeout = 0.5 } end):find "range")
  dev:disconnect()
  t.ok(advice(function() dev:read(lab.read) end):find "connect")
end)

test("B26 a wrong argument names the argument and what was expected", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local function complains(fn, ...)
    local err = tostring(t.raises(fn))
    for _, word in ipairs { ... } do t.ok(err:find(word, 1, true), err) end
  end
  complains(function() dev:read() end, "characteristic", "nil")
  complains(function() dev:read({}) end, "characteristic", "table")
  complains(function() dev:read "no such thing" end, "no such thing")
  complains(function() dev:read(lab.read, { timeout = "soon" }) end, "timeout", "number")
  complains(function() dev:read(lab.read, { as = "u7" }) end, "u7")
  complains(function() dev:subscribe(lab.notify) end, "function expected")
  complains(function() dev:on("weather", print) end, "weather")
  complains(function() ble.connect "C8:3F" end, "C8:3F")
end)

test("L10 an error value stays what it is on its way through the host", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local mine = setmetatable({}, { __tostring = function() return "mine" end })
  for _, value in ipairs { mine, "text", 5, true } do
    local err = t.raises(function() ble.with(dev, function() error(value, 0) end) end)
    t.ok(rawequal(err, value), tostring(err))
  end
  local ok, err = pcall(ble.with, lab.pulse, function() error() end)
  t.equal(ok, false)
  t.equal(err, nil)
end)

test("a caught error can be raised again, and is the same", world, function(t)
  local first
  local second = t.raises("not_found", function()
    local ok, err = pcall(ble.find, { name = "Nobody", timeout = 0.5 })
    t.equal(ok, false)
    first = err
    error(err)
  end)
  t.ok(rawequal(first, second))
end)
