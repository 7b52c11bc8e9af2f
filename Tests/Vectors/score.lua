-- Scores the decoders against payloads whose values are known: blescript Tests/Vectors/score.lua [FOLDER]
--
-- The folder has a file decoders.jsonl, one payload a line. It is the argument, or VECTORS of the environment, or
-- ../shared/vectors beside this checkout. Without one there is nothing to score.
--
-- A scorer is a file of this folder, listed below:
--   name                  what it scores
--   takes(vector)         whether the line is its own
--   group(vector)         what is counted together (a characteristic, a family), and what to call it
--   must(group)           whether all of the group's lines have to be right
--   share                 of the other groups, how many have to be right
--   judge(vector)         true, or false and why, or nil and why it does not count
--   groups_wanted         how many groups there are that must be right, to notice if some are gone

local json = require "json"

local scorers = { (require "gatt"), (require "adverts") }

local here = arg[0]:match "^(.*)/[^/]*$" or "."

local function open_vectors()
  local folder = arg[1] or os.getenv "VECTORS"
  local file = io.open((folder or here .. "/../../../shared/vectors") .. "/decoders.jsonl")
  if folder and not file then error("there is no decoders.jsonl in " .. folder, 0) end
  return file
end

--- The lines of each scorer, by group.
local function sort_out(file)
  local sorted = {}
  for _, scorer in ipairs(scorers) do sorted[scorer] = {} end
  for line in file:lines() do
    local vector = json(line)
    for _, scorer in ipairs(scorers) do
      if scorer.takes(vector) then
        local name, title = scorer.group(vector)
        local group = sorted[scorer][name] or { name = name, title = title, right = 0, wrong = {}, left_out = {} }
        sorted[scorer][name] = group
        local verdict, why = scorer.judge(vector)
        if verdict then
          group.right = group.right + 1
        else
          local list = verdict == nil and group.left_out or group.wrong
          list[#list + 1] = ("%s: %s"):format(vector.id, why)
        end
      end
    end
  end
  return sorted
end

local function in_order(groups)
  local list = {}
  for _, group in pairs(groups) do list[#list + 1] = group end
  table.sort(list, function(a, b) return a.name < b.name end)
  return list
end

local function print_group(group, mark)
  print(("%s %-36s %s: %d right, %d wrong%s"):format(mark, group.name, group.title, group.right, #group.wrong,
    #group.left_out > 0 and (", %d disputed"):format(#group.left_out) or ""))
  for _, why in ipairs(group.wrong) do print("    wrong     " .. why) end
  for _, why in ipairs(group.left_out) do print("    disputed  " .. why) end
end

--- Prints one kind of groups; returns how many are right and how many there are.
local function report(groups)
  local right = 0
  for _, group in ipairs(groups) do
    local good = #group.wrong == 0
    if good then right = right + 1 end
    print_group(group, good and " " or "!")
  end
  return right, #groups
end

local function part(list, keep)
  local kept = {}
  for _, group in ipairs(list) do
    if keep(group) then kept[#kept + 1] = group end
  end
  return kept
end

--- Prints the score; returns whether it is good enough.
local function score(scorer, groups)
  local all = in_order(groups)
  local must_right, must = report(part(all, function(group) return scorer.must(group.name) end))
  local right, others = report(part(all, function(group) return not scorer.must(group.name) end))
  local needed = math.ceil(scorer.share * others)
  print(("%s: %d of %d that must be right are (%d were expected), %d of %d others, at least %d of them needed"):format(
    scorer.name, must_right, must, scorer.groups_wanted, right, others, needed))
  return must_right == must and must == scorer.groups_wanted and right >= needed
end

local file = open_vectors()
if not file then
  print("skipped: there are no vectors in ../shared/vectors; name a folder, or set VECTORS")
  return
end

local good = true
local sorted <const> = sort_out(file)
file:close()
for _, scorer in ipairs(scorers) do good = score(scorer, sorted[scorer]) and good end
os.exit(good)
