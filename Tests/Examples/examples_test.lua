--- That the examples do what they say. (In the simulator: they take minutes of its time, and none of ours.)
local ble = require "ble"
local script = require "script"
local task = require "task"
local test = require "test"

local pulse, lab = "C8:3F:26:00:00:01", "C8:3F:26:00:00:02"
local function uuid(number) return string.format("7e57%04x-b1e5-4c0d-9a00-0123456789ab", number) end

local function example(name, ...) return script.run_file("scripts/examples/" .. name .. ".lua", {}, ...) end

local function in_world(name) return { world = name, only = "simulator" } end

test("heart-rate", in_world "heart-rate", function(t)
  local lines = example "heart-rate"
  t.equal(lines[1], "found      C8:3F:26:00:00:01 Pulse, -58 dBm")
  t.equal(lines[#lines], "goodbye    disconnected")
end)

test("scan-table", in_world "lab", function(t)
  local lines = example("scan-table", "2")
  t.equal(lines[1], "address             dBm  name          company    services")
  t.equal(lines[2], "C8:3F:26:00:00:01   -50  Pulse         0059       180d 180f")
  t.ok(#lines > 10)
end)

test("battery-of-everything", in_world "lab", function(t)
  local results = {}
  for _, line in ipairs(example "battery-of-everything") do
    results[line:sub(1, 17)] = line:match "%s([%w_]+[ %%]*)$"
  end
  t.equal(results[pulse], "85 %")
  t.equal(results[lab], "not_found")
end)

test("log-notifications", in_world "heart-rate", function(t)
  local lines = example("log-notifications", pulse, "2a37", "3")
  t.equal(#lines, 4)
  t.equal(lines[1], "seconds,bytes")
  t.equal(lines[2], "0.000,10485503")
  t.ok(lines[4]:match "^2%.00%d,10", lines[4])
end)

test("two-devices", in_world "lab", function(t)
  local lines = {}
  local run = task.spawn(script.run_file, "scripts/examples/two-devices.lua", lines, pulse, "2a37", lab, uuid(5))

  local function listens(address, ref)
    local device = ble.device(address)
    return device.connected and device.services_resolved and device:characteristic(ref).notifying
  end
  t.eventually(function() return listens(pulse, "2a37") and listens(lab, uuid(5)) end)
  for i = 1, 3 do
    t.order("pulse notify 2a37 0" .. i)
    t.order("lab notify notify 1" .. i)
  end
  run:wait()

  t.eventually(function() return #lines == 6 end)
  table.sort(lines)
  t.equal(lines, { "Lab      11", "Lab      12", "Lab      13", "Pulse    01", "Pulse    02", "Pulse    03" })
end)

test("write-and-wait", in_world "lab", function(t)
  t.equal(example("write-and-wait", lab, uuid(11), uuid(5)),
    { "question 1: answer 01aa", "question 2: answer 02aa", "question 3: answer 03aa" })
end)

test("keep", in_world "lab", function(t)
  local lines = {}
  script.run_file("scripts/examples/keep.lua", lines, lab, uuid(5), "3")
  local device = ble.device(lab)
  for i, trouble in ipairs { "lab lose", "bluetoothd restart", false } do
    t.eventually(function()
      return device.connected and device.services_resolved and device:characteristic(uuid(5)).notifying
    end, 30)
    t.order("lab notify notify 0" .. i)
    t.eventually(function() return #lines == i end, 3)
    if trouble then t.order(trouble) end
  end
  t.equal(lines, { "01", "02", "03" })
  t.eventually(function() return not device.connected end, 5)
end)
