--- Whichever takes it, tried in order: codec.either(new_layout, old_layout). The error is that of the first.

local run = require "codec.run"
local spelling = require "codec.spelling"

return function(...)
  local choices, size = {}, nil
  for i, as in ipairs { ... } do
    choices[i] = spelling.codec(as)
    size = (i == 1 or size == choices[i].size) and choices[i].size or nil
  end

  local function first_that(action, input)
    local problem
    for _, choice in ipairs(choices) do
      local results = table.pack(pcall(action, choice, input))
      if results[1] then return table.unpack(results, 2, results.n) end
      problem = problem or results[2]
    end
    error(problem, 0)
  end

  return {
    name = choices[1].name, size = size, choices = choices,
    decode = function(bytes) return first_that(run.decode, bytes) end,
    encode = function(value) return first_that(run.encode, value) end,
  }
end
