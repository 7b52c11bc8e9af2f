-- What the program holds does not grow with what it has done.
local ble = require "ble"
local task = require "task"
local test = require "test"

local PULSE = "C8:3F:26:00:00:01"

local function connect_and_read()
  local device <close> = ble.connect(PULSE)
  device:read "2a19"
  local subscription <close> = device:subscribe("2a37", function() end)
  device:disconnect()
end

-- What a closed device leaves takes its time: stopping what is subscribed, for one.
local function settled(t)
  task.sleep(5)
  return t.holdings()
end

local COUNT = tonumber(os.getenv "CONNECTS" or 10000)
test(COUNT .. " connects leave memory, descriptors, match rules and pending replies where they were",
  { world = "lab", only = "simulator", limit = 100000 }, function(t)
  for _ = 1, 300 do connect_and_read() end
  local before = settled(t)
  for _ = 1, COUNT do connect_and_read() end
  local after = settled(t)
  for k, v in pairs(before) do print("#", k, v, after[k]) end
end)
