--- What tests of pure Lua share: `tap.test` runs one and prints TAP, `tap.done` ends the file.

local codec = require "codec"
local errors = require "ble.error"

local tap = {}

local number, failed = 0, 0

function tap.test(name, body)
  number = number + 1
  local good, problem = xpcall(body, function(e) return debug.traceback(tostring(e), 2) end)
  print(("%s %d - %s"):format(good and "ok" or "not ok", number, name))
  if not good then
    failed = failed + 1
    print("# " .. problem:gsub("\n", "\n# "))
  end
end

function tap.done()
  print("1.." .. number)
  os.exit(failed == 0)
end

local function in_order(keys)
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  return keys
end

function tap.show(value)
  if type(value) == "string" then return ("%q"):format(value) end
  if type(value) ~= "table" then return tostring(value) end
  local keys, parts = {}, {}
  for key in pairs(value) do keys[#keys + 1] = key end
  for i, key in ipairs(in_order(keys)) do parts[i] = ("%s = %s"):format(key, tap.show(value[key])) end
  return "{ " .. table.concat(parts, ", ") .. " }"
end

--- Equal by content; integers are no floats.
function tap.same(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then return a == b and math.type(a) == math.type(b) end
  for key, value in pairs(a) do
    if not tap.same(value, b[key]) then return false end
  end
  for key in pairs(b) do
    if a[key] == nil then return false end
  end
  return true
end

function tap.equal(found, wanted, what)
  if tap.same(found, wanted) then return end
  error(("%s: %s, not %s"):format(what or "value", tap.show(found), tap.show(wanted)), 2)
end

--- Calls, and expects an error of this code whose text has the pattern in it.
function tap.raises(code, pattern, body, ...)
  local good, problem = pcall(body, ...)
  if good then error(("no error; %s"):format(tap.show(problem)), 2) end
  if not errors.is(problem) then error("no error of ours: " .. tostring(problem), 2) end
  if problem.code ~= code then error(("code %s, not %s: %s"):format(problem.code, code, problem), 2) end
  if not tostring(problem):find(pattern) then error(("%q has no %q"):format(tostring(problem), pattern), 2) end
end

function tap.bytes_of(hex)
  return codec.encode("hex", hex)
end

function tap.random_bytes(size)
  local bytes = {}
  for i = 1, size do bytes[i] = string.char(math.random(0, 255)) end
  return table.concat(bytes)
end

return tap
