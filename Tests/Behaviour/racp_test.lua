-- The record access control point, with a simulated glucose meter.

local ble = require "ble"
local racp = require "racp"
local task = require "task"
local test = require "test"

local options = { world = "glucose", only = "simulator" }
local METER = "C8:3F:26:00:01:01"

local function numbers(records)
  local list = {}
  for i, record in ipairs(records) do list[i] = record.sequence_number end
  return list
end

test("all records come, each with its context", options, function(t)
  local meter <close> = ble.connect(METER)
  local records = racp.records(meter, "all")
  t.equal(numbers(records), { 1, 2, 3 })
  t.near(records[1].glucose_concentration, 0.00113, 1e-9)
  t.equal(records[1].unit, "kg/L")
  t.equal(records[1].glucose_type, "capillary_plasma")
  t.equal(records[1].sample_location, "finger")
  t.equal(records[1].base_time, { year = 2026, month = 11, day = 30, hour = 13, min = 42, sec = 5 })
  t.equal(records[1].context, nil)
  t.equal(records[2].context, { sequence_number = 2, meal = "before" })
end)

test("some records", options, function(t)
  local meter <close> = ble.connect(METER)
  t.order "records 9"
  t.equal(numbers(racp.records(meter, "first")), { 1 })
  t.equal(numbers(racp.records(meter, "last")), { 9 })
  t.equal(numbers(racp.records(meter, { from = 7 })), { 7, 8, 9 })
  t.equal(numbers(racp.records(meter, { up_to = 2 })), { 1, 2 })
  t.equal(numbers(racp.records(meter, { from = 4, up_to = 6 })), { 4, 5, 6 })
  t.equal(numbers(racp.records(meter, { from = 10 })), {})
end)

test("records that come all at once are all there", options, function(t)
  local meter <close> = ble.connect(METER)
  t.order "records 200"
  t.order "pause 0"
  local records = racp.records(meter)
  t.equal(#records, 200)
  for i, record in ipairs(records) do
    t.equal(record.sequence_number, i)
    t.equal(record.context ~= nil, i % 2 == 0)
  end
end)

test("the timeout is for silence, not for the whole", options, function(t)
  local meter <close> = ble.connect(METER)
  t.order "records 20"
  t.order "pause 1"
  t.equal(#racp.records(meter, "all", { timeout = 3 }), 20)
end)

test("an answer that does not end is a timeout", options, function(t)
  local meter <close> = ble.connect(METER)
  t.order "quiet"
  local problem = t.raises("timeout", function() racp.records(meter, "all", { timeout = 2 }) end)
  t.ok(tostring(problem):find "silent for 2 s", tostring(problem))
  t.equal(racp.count(meter), 3) -- it was told to abort, and goes on
end)

test("without contexts", options, function(t)
  local meter <close> = ble.connect(METER)
  t.equal(racp.records(meter, { from = 2, up_to = 2 }, { context = false })[1].context, nil)
end)

test("count and delete", options, function(t)
  local meter <close> = ble.connect(METER)
  t.equal(racp.count(meter), 3)
  t.equal(racp.count(meter, { from = 2 }), 2)
  t.equal(racp.delete(meter, { from = 2 }), true)
  t.equal(racp.count(meter), 1)
  t.equal(racp.delete(meter, "all"), true)
  t.equal(racp.delete(meter, "all"), false)
  t.equal(racp.count(meter), 0)
  t.equal(racp.records(meter), {})
end)

test("another task can abort", options, function(t)
  local meter <close> = ble.connect(METER)
  t.order "records 20"
  t.order "pause 1"
  local reader = task.spawn(function() return pcall(racp.records, meter, "all", { timeout = 5 }) end)
  task.sleep(3)
  racp.abort(meter)
  local _, good, problem = pcall(reader.wait, reader)
  t.equal(good, false)
  t.equal(problem.code, "cancelled")
end)

test("a wrong choice is told before anything is written", options, function(t)
  local meter <close> = ble.connect(METER)
  for _, which in ipairs { "some", {}, 3 } do
    t.raises("invalid", function() racp.records(meter, which) end)
  end
end)
