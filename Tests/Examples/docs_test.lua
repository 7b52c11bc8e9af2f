--- That the samples in the documents work. Each block of Lua follows a line that says what is done with it:
--
--   <!-- run in WORLD -->    run in a world that ships, or in a file, from docs/
--   <!-- file FILE -->       it is that file's text, from docs/
--
-- and a block of text that follows `<!-- prints -->` is what the block before it prints.
local script = require "script"
local test = require "test"

local documents = {
  "README.md", "docs/tutorial.md", "docs/architecture.md", "docs/writing-worlds.md", "docs/errors.md",
  "docs/recovery.md", "docs/troubleshooting.md", "docs/testing.md", "docs/writing-decoders.md",
}

local function text_of(path)
  local file <close> = assert(io.open(script.root .. path))
  return file:read "a"
end

--- The blocks of Lua and of output: language, order, text, line of the document.
local function blocks(path)
  local list, block, before, number = {}, nil, "", 0
  for line in (text_of(path)):gmatch "([^\n]*)\n" do
    number = number + 1
    if block and line == "```" then
      block.text = table.concat(block, "\n") .. "\n"
      block = nil
    elseif block then
      block[#block + 1] = line
    elseif line:find "^```" then
      block = { language = line:sub(4), order = before:match "^<!%-%- (.*) %-%->$" or "", line = number }
      list[#list + 1] = block
    end
    before = line
  end
  return list
end

--- Runs a block. Errors name the line of the document.
local function run(place, path, block, world, wanted)
  -- A path counts from here, for `blescript test`.
  world = world:find "/" and "../../docs/" .. world or world
  test(place, { world = world, only = "simulator" }, function(t)
    local lines = script.run_text(string.rep("\n", block.line) .. block.text, "@" .. path)
    if wanted then t.equal(table.concat(lines, "\n") .. "\n", wanted) end
  end)
end

for _, path in ipairs(documents) do
  local list = blocks(path)
  for i, block in ipairs(list) do
    local place = path .. ":" .. block.line
    local world, file = block.order:match "^run in (.+)", block.order:match "^file (.+)"
    if world then
      local after = list[i + 1]
      run(place, path, block, world, after and after.order == "prints" and after.text)
    elseif file then
      test(place, { only = "simulator" }, function(t) t.equal(block.text, text_of("docs/" .. file)) end)
    elseif block.language == "lua" then
      test(place, function() error "nobody runs this sample: see Tests/Examples/docs_test.lua" end)
    end
  end
end
