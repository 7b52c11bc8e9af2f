--- Checks of what a world says, with errors that point at its line.
local host = require "sim.host"

local folder = debug.getinfo(1, "S").source:match "^(.*)check%.lua$" or ""

--- Whether that is a part of the language, not a world.
local function is_ours(source)
  return source:sub(1, #folder) == folder or source == folder:sub(1, -2) .. ".lua"
end

--- Raises an error that points at the line of the world.
local function complain(...)
  local level = 2
  while true do
    local info = debug.getinfo(level, "S")
    if not info then break end
    if not is_ours(info.source) and info.what ~= "C" then break end
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

local function address(what, value)
  need(what, value, "string", "an address")
  if not value:match "^%x%x:%x%x:%x%x:%x%x:%x%x:%x%x$" then
    complain("%s: AA:BB:CC:DD:EE:FF expected, got %s", what, shown(value))
  end
  return value:upper()
end

local function set(words)
  local result = {}
  for word in words:gmatch "%S+" do result[word] = true end
  return result
end

return {
  complain = complain, ask = ask, shown = shown, need = need, optional = optional, whole = whole, seconds = seconds,
  uuid = uuid, uuids = uuids, allow = allow, set = set, address = address,
}
