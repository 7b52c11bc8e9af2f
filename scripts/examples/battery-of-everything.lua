#!/usr/bin/env blescript
-- The battery level of everything that can be connected, four devices at a time.
local ble = require "ble"
local task = require "task"

local found = ble.discover { timeout = 5 }

local function report(adv)
  local ok, level = pcall(ble.read, adv, "battery_level", { as = "u8", timeout = 10, attempts = 1 })
  -- Many devices have no battery to show, and a beacon can't be connected: an error here is a result.
  print(string.format("%s  %-12s  %s", adv.address, adv.name or "", ok and level .. " %" or level.code))
end

local next_one = 0

local function worker()
  while next_one < #found do
    next_one = next_one + 1
    report(found[next_one])
  end
end

-- More links at once, and many a controller gives up.
task.all { worker, worker, worker, worker }
