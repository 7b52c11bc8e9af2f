--- When a number of ours counts as the one that was expected.

local compare = {}

local ABSOLUTE, RELATIVE = 0.006, 0.002

--- `allowance`: how far off it may be in any case, if it is not the usual 0.006.
function compare.near(got, wanted, allowance)
  return math.type(got) ~= nil
    and math.abs(got - wanted) <= math.max(allowance or ABSOLUTE, RELATIVE * math.abs(wanted))
end

--- A value, short enough for a line.
function compare.show(value)
  if type(value) == "string" then return ("%q"):format(value) end
  if type(value) ~= "table" then return tostring(value) end
  local keys, parts = {}, {}
  for key in pairs(value) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for i, key in ipairs(keys) do parts[i] = ("%s=%s"):format(key, compare.show(value[key])) end
  return getmetatable(value) and tostring(value) or "{" .. table.concat(parts, " ") .. "}"
end

return compare
