-- Ten thousand connects and disconnects leave nothing behind.
local ble = require "ble"
local test = require "test"

local ROUNDS, WARM_UP = 10000, 500

local function rounds(count)
  for i = 1, count do
    local dev <close> = ble.connect("C8:3F:26:00:00:01")
    -- Not each time: it is the links that are counted, and this takes longer than they do.
    if i % 10 == 0 then
      local beat = dev:subscribe("2a37", function() end)
      dev:read("2a19")
      beat:cancel()
    end
    dev:disconnect()
  end
end

test("10000 connects leave memory, descriptors, rules and replies where they were",
  { world = "heart-rate", only = "simulator", limit = 1e6 }, function(t)
    rounds(WARM_UP)
    local before = t.holdings()
    rounds(ROUNDS)
    local after = t.holdings()
    -- Allocators keep some room; what is counted must be the same.
    local slack = { memory = before.memory * 0.1, blocks = before.blocks * 0.1, resident = 4 * 2 ^ 20 }
    for name, count in pairs(before) do
      t.ok(after[name] <= count + (slack[name] or 0), name .. ": " .. count .. ", then " .. after[name])
    end
  end)
