-- Tests for `blescript test FILE`. A file declares them; each runs in a world and a Lua state of its own.
--
--   local test = require "test"
--   test("reads the battery level", { world = "lab" }, function(t)
--     t.equal(ble.read("C8:3F:26:00:00:01", "2a19", { as = "u8" }), 85)
--   end)
local native = require "test.native"
local task = require "task"

local t = {}

local function show(value, depth)
  depth = depth or 0
  if type(value) == "string" then return string.format("%q", value) end
  if type(value) ~= "table" or depth > 3 then return tostring(value) end
  local keys, parts = {}, {}
  for key in pairs(value) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for _, key in ipairs(keys) do
    local name = type(key) == "string" and key or "[" .. tostring(key) .. "]"
    parts[#parts + 1] = name .. " = " .. show(value[key], depth + 1)
  end
  return "{ " .. table.concat(parts, ", ") .. " }"
end

local function same(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then return a == b and math.type(a) == math.type(b) end
  for key, value in pairs(a) do if not same(value, b[key]) then return false end end
  for key in pairs(b) do if a[key] == nil then return false end end
  return true
end

local function fail(message, note)
  error((note and note .. ": " or "") .. message, 3)
end

--- Fails unless the two are equal; tables are compared by what is in them, integers are not floats.
function t.equal(got, wanted, note)
  if not same(got, wanted) then fail("got " .. show(got) .. ", wanted " .. show(wanted), note) end
end

--- Fails unless the two numbers are within `tolerance` of each other.
function t.near(got, wanted, tolerance, note)
  if type(got) ~= "number" or math.abs(got - wanted) > tolerance then
    fail("got " .. show(got) .. ", wanted " .. show(wanted) .. " within " .. tolerance, note)
  end
end

function t.ok(value, note)
  if not value then fail("got " .. show(value) .. ", wanted something true", note) end
end

--- Fails unless `fn` raises an error of this code; returns the error. Without a code: any error.
function t.raises(code, fn, note)
  if type(code) == "function" then code, fn, note = nil, code, fn end
  local ok, err = pcall(fn)
  if ok then fail("no error was raised, wanted " .. (code or "one"), note) end
  local got = type(err) == "table" and err.code or nil
  if code and got ~= code then
    fail("got " .. show(got or err) .. " (" .. tostring(err) .. "), wanted " .. code, note)
  end
  return err
end

--- Has the world carry out an order such as `"lab notify notify 0102"`. Returns when it has.
t.order = native.order

--- `"simulator"` or `"real"`.
t.place = native.place()

--- What the program holds now: `memory` and `blocks` of Lua, `resident` bytes of the process, its file `descriptors`,
-- `match_rules` on the bus, `pending_replies`, and `devices` that have an object.
t.holdings = native.holdings

--- Waits until `condition()` is true, at most `timeout` seconds (10).
function t.eventually(condition, timeout, note)
  local last = task.now() + (timeout or 10)
  while not condition() do
    if task.now() > last then fail("it did not come true", note) end
    task.sleep(0.02)
  end
end

return function(name, options, fn)
  if type(options) == "function" then options, fn = {}, options end
  if native.declare(name, options) then task.spawn(fn, t) end
end
