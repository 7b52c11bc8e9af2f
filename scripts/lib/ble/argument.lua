--- Wrong arguments, told about the line of the script that gave them, however deep in here they are found.
local argument = {}

local library = debug.getinfo(1, "S").source:match "^(@.*/)ble/argument%.lua$"

-- The level of the innermost function that is neither this library's nor C's.
local function script_level()
  local level = 2
  while true do
    local info = debug.getinfo(level, "S")
    if not info then return 0 end
    if info.what ~= "C" and info.source:sub(1, #library) ~= library then return level - 1 end
    level = level + 1
  end
end

--- Raises what is wrong with argument `number` of `call`.
function argument.wrong(call, number, reason, ...)
  error(("bad argument #%d to '%s' (%s)"):format(number, call, reason:format(...)), script_level())
end

--- Sees to it that the argument is of a type; `expected` says it in other words.
function argument.need(call, number, value, kind, expected)
  if type(value) ~= kind then argument.wrong(call, number, "%s expected, got %s", expected or kind, type(value)) end
  return value
end

--- A copy of a table of options, whose fields must be among `words`: a misspelt one is an error, not a silent default.
function argument.options(call, number, given, words)
  if given == nil then return {} end
  argument.need(call, number, given, "table", "table of options")
  local copy = {}
  for name, value in pairs(given) do
    if not (" " .. words .. " "):find(" " .. tostring(name) .. " ", 1, true) then
      argument.wrong(call, number, "unknown option '%s'; there are: %s", name, words)
    end
    copy[name] = value
  end
  return copy
end

--- Sees to it that an option, where it is given, is of a type.
function argument.option(call, number, options, name, kind)
  local value = options[name]
  if value ~= nil and type(value) ~= kind then
    argument.wrong(call, number, "field '%s': %s expected, got %s", name, kind, type(value))
  end
  return value
end

return argument
