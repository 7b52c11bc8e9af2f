--- What there is at run time. Names that begin with `_` are private.
local present = {}

--- The names of a table.
function present.keys(value)
  local names = {}
  for key in pairs(value) do
    if type(key) == "string" and key:sub(1, 1) ~= "_" then names[key] = true end
  end
  return names
end

--- The names of an object of the host. Its metatable keeps the methods under a key that has no name; the fields are in
--- what it says of one that it has not.
function present.object(object)
  local names = {}
  for key, value in pairs(debug.getmetatable(object)) do
    if type(key) == "userdata" and type(value) == "table" then
      for name in pairs(present.keys(value)) do names[name] = true end
    end
  end
  local _, message = pcall(function() return object[""] end)
  for name in (tostring(message):match "%(fields: (.*)%)$" or ""):gmatch "[%w_]+" do
    if name:sub(1, 1) ~= "_" then names[name] = true end
  end
  return names
end

--- Two lists in one text: what is there and not annotated, and the other way round. Empty when both agree.
function present.differences(there, class, what)
  local lines = {}
  if not class then return what .. " is not annotated" end
  for name in pairs(there) do
    if not class.names[name] then lines[#lines + 1] = what .. "." .. name .. " is not annotated" end
  end
  for name in pairs(class.names) do
    if not there[name] then lines[#lines + 1] = what .. "." .. name .. " is annotated and does not exist" end
  end
  table.sort(lines)
  return table.concat(lines, "\n")
end

return present
