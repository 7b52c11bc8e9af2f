--- Whichever takes it, tried in order: codec.either(new_layout, old_layout). The error is that of the first.
-- To encode, one that keeps the value as it is goes before one that has to round it.

local run = require "codec.run"
local spelling = require "codec.spelling"

--- The results of the first choice that takes the input; if none does, false and what the first complains of.
local function first_that(choices, action, input)
  local problem
  for _, choice in ipairs(choices) do
    local results = table.pack(pcall(action, choice, input))
    if results[1] then return table.unpack(results, 1, results.n) end
    problem = problem or results[2]
  end
  return false, problem
end

local function same(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then return a == b end
  for key, value in pairs(a) do
    if not same(value, b[key]) then return false end
  end
  for key in pairs(b) do
    if a[key] == nil then return false end
  end
  return true
end

--- Encodes what is the same when it is decoded.
local function encode_exactly(choice, value)
  local bytes = run.encode(choice, value)
  if not same(run.one(run.decode(choice, bytes)), value) then error "not the same" end
  return bytes
end

--- The size of all choices, if it is one.
local function common_size(choices)
  for _, choice in ipairs(choices) do
    if choice.size ~= choices[1].size then return nil end
  end
  return choices[1].size
end

local function results_of(good, ...)
  if good then return ... end
  return error((...), 0)
end

return function(...)
  local choices = { ... }
  for i, as in ipairs(choices) do choices[i] = spelling.codec(as) end
  return {
    name = choices[1].name, size = common_size(choices), choices = choices,
    decode = function(bytes) return results_of(first_that(choices, run.decode, bytes)) end,
    encode = function(value)
      local exact, bytes = first_that(choices, encode_exactly, value)
      if exact then return bytes end
      return results_of(first_that(choices, run.encode, value))
    end,
  }
end
