--- Runs a script within a test, and keeps what it prints.
local script = {}

script.root = debug.getinfo(1, "S").source:match "^@(.*)/" .. "/../../"

local function surroundings(lines, arguments)
  return setmetatable({
    arg = arguments,
    print = function(...)
      local words = table.pack(...)
      for i = 1, words.n do words[i] = tostring(words[i]) end
      lines[#lines + 1] = table.concat(words, "\t")
    end,
  }, { __index = _G })
end

--- Runs a text; gives the lines that it printed.
function script.run_text(text, name)
  local lines = {}
  assert(load(text, name, "t", surroundings(lines, {})))()
  return lines
end

--- Runs a file of the project; `lines` gets what it prints.
function script.run_file(path, lines, ...)
  local chunk = assert(loadfile(script.root .. path, "t", surroundings(lines, { [0] = path, ... })))
  chunk(...)
  return lines
end

return script
