--- That the samples in the documents work. A line before a block says what to do with it:
--
--   <!-- run in WORLD -->    runs it in a world that ships, or in a file, from docs/
--   <!-- prints -->          the block is what the one before it prints
--   <!-- file FILE -->       the block is that file's text, from docs/
local script = require "script"
local test = require "test"

local documents = {
  "README.md", "docs/tutorial.md", "docs/architecture.md", "docs/writing-worlds.md", "docs/errors.md",
  "docs/troubleshooting.md", "docs/testing.md",
}

local function text_of(path)
  local file <close> = assert(io.open(script.root .. path))
  return file:read "a"
end

--- A path counts from here, for `blescript test`.
local function world_of(name)
  return name:find "/" and "../../docs/" .. name or name
end

--- The samples: order, argument, block, line of the document.
local function samples(text)
  local list, position = {}, 1
  while true do
    local from, to, order, block = text:find("<!%-%- ([^\n]-) %-%->\n```%a*\n(.-)```\n", position)
    if not from then return list end
    local _, line = text:sub(1, from):gsub("\n", "")
    local verb, argument = order:match "^(%a+) ?(.*)$"
    list[#list + 1] = { verb = verb, argument = argument, block = block, line = line + 1 }
    position = to
  end
end

local function run(path, sample, wanted)
  test(path .. ":" .. sample.line, { world = world_of(sample.argument:match "^in (.+)"), only = "simulator" }, function(t)
    local lines = script.run_text(string.rep("\n", sample.line + 1) .. sample.block, "@" .. path)
    if wanted then t.equal(table.concat(lines, "\n") .. "\n", wanted.block) end
  end)
end

for _, path in ipairs(documents) do
  local list = samples(text_of(path))
  for i, sample in ipairs(list) do
    local after = list[i + 1]
    if sample.verb == "run" then
      run(path, sample, after and after.verb == "prints" and after)
    elseif sample.verb == "file" then
      test(path .. ":" .. sample.line, { only = "simulator" }, function(t)
        t.equal(sample.block, text_of("docs/" .. sample.argument))
      end)
    elseif sample.verb ~= "prints" then
      error(path .. ":" .. sample.line .. ": what is to be done with this sample?", 0)
    end
  end
end
