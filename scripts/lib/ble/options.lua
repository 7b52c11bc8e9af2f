--- Tables of options. A misspelt one is an error, not a silent default.

--- Gives a copy of `given`, the argument number `number` of `call`, whose fields must be among `words`.
return function(call, number, given, words)
  if given == nil then return {} end
  if type(given) ~= "table" then
    error(("bad argument #%d to '%s' (table of options expected, got %s)"):format(number, call, type(given)), 3)
  end
  local copy = {}
  for name, value in pairs(given) do
    if not (" " .. words .. " "):find(" " .. tostring(name) .. " ", 1, true) then
      error(("bad argument #%d to '%s' (unknown option '%s'; there are: %s)"):format(number, call, name, words), 3)
    end
    copy[name] = value
  end
  return copy
end
