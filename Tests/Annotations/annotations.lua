--- That scripts/types has what there is, and nothing else: each public function, method and field.
local ble = require "ble"
local codec = require "codec"
local racp = require "racp"
local sig = require "sig"
local task = require "task"
local test = require "test"

local declared = require "declared"
local present = require "present"

local address = "C8:3F:26:00:00:01"
local options = { world = "world.lua", only = "simulator" }

local function compare(t, there, file, class)
  local differences = present.differences(there, declared(file)[class], class)
  t.ok(differences == "", differences)
end

test("the modules", options, function(t)
  compare(t, present.keys(ble), "ble.lua", "ble")
  compare(t, present.keys(codec), "codec.lua", "codec")
  compare(t, present.keys(racp), "racp.lua", "racp")
  compare(t, present.keys(sig), "sig.lua", "sig")
  compare(t, present.keys(task), "task.lua", "task")
  compare(t, present.keys(t), "test.lua", "test.t")
end)

test("tasks and channels", options, function(t)
  compare(t, present.object(task.current()), "task.lua", "task.task")
  compare(t, present.keys(getmetatable(task.channel()).__index), "task.lua", "task.channel")
end)

test("adapters, scans and events", options, function(t)
  compare(t, present.object(ble.adapter()), "ble.lua", "ble.adapter")
  local _, scan <close> = ble.scan()
  compare(t, present.object(scan), "ble.lua", "ble.scan")
  local events <close> = ble.on("state", function() end)
  compare(t, present.object(events), "ble.lua", "ble.events")
end)

test("advertisements", options, function(t)
  local adv = ble.find { address = address }
  local there = present.keys(adv)
  there.device = adv.device and true -- computed
  there.decode = adv.decode and true
  -- The simulator, like bluetoothd without its experimental features, does not tell them.
  there.flags = true
  compare(t, there, "ble.lua", "ble.advertisement")
end)

test("devices and what they offer", options, function(t)
  local device <close> = ble.connect(address)
  compare(t, present.object(device), "ble.lua", "ble.device")
  compare(t, present.object(device:service "180f"), "ble.lua", "ble.service")
  local level = device:characteristic "2a19"
  compare(t, present.object(level), "ble.lua", "ble.characteristic")
  compare(t, present.object(level.descriptors[1]), "ble.lua", "ble.descriptor")
  local subscription <close> = device:subscribe(level, function() end)
  compare(t, present.object(subscription), "ble.lua", "ble.subscription")
end)

test("filters: each annotated field is taken, and no other", options, function(t)
  local values = {
    name = "All", name_prefix = "Al", pattern = "^A", address = address, services = { "180f" },
    manufacturer = { [0x0059] = true }, service_data = { ["180f"] = { prefix = "\x55" } }, rssi = -100, any = { {} },
    except = { { name = "Other" } }, where = function() return true end, duplicates = true, timeout = 5, count = 1,
    adapter = "hci0",
  }
  compare(t, present.keys(values), "ble.lua", "ble.filter")
  for name, value in pairs(values) do t.equal(ble.find { [name] = value }.address, address, name) end
  t.raises(function() ble.find { color = "red" } end)
end)

test("options: those annotated, and no other", options, function(t)
  local device <close> = ble.connect(address)
  local wrong = { [""] = true }
  local calls = {
    ["ble.device.options"] = function() ble.device(address, wrong) end,
    ["ble.connect.options"] = function() ble.connect(address, wrong) end,
    ["ble.read.options"] = function() device:read("2a19", wrong) end,
    ["ble.write.options"] = function() device:write("2a19", "", wrong) end,
    ["ble.subscribe.options"] = function() device:subscribe("2a19", print, wrong) end,
    ["ble.notifications.options"] = function() device:notifications("2a19", wrong) end,
    ["ble.request.options"] = function() device:request("2a19", "", wrong) end,
    ["ble.read.once"] = function() ble.read(address, "2a19", wrong) end,
    ["ble.write.once"] = function() ble.write(address, "2a19", "", wrong) end,
  }
  for class, call in pairs(calls) do
    local there = {}
    for name in t.raises(call):match "there are: (.*)%)":gmatch "[%w_]+" do there[name] = true end
    compare(t, there, "ble.lua", class)
  end
  local taken = t.raises(function() device:read_descriptor("2a19", "2901", wrong) end):match "there are: (.*)%)"
  t.equal(t.raises(function() device:write_descriptor("2a19", "2901", "", wrong) end):match "there are: (.*)%)", taken)
  compare(t, { as = true, timeout = true }, "ble.lua", "ble.descriptor.options")
  t.equal(taken, "as timeout")
end)

test("errors", options, function(t)
  local device <close> = ble.connect(address)
  local there = {}
  local calls = {
    function() device:write("2a19", "\1") end,
    function() device:read "2a1a" end,
    function() ble.find { name = "Nobody", timeout = 1 } end,
  }
  for _, call in ipairs(calls) do
    for name in pairs(present.keys(t.raises(nil, call))) do there[name] = true end
  end
  compare(t, there, "ble.lua", "ble.error")
end)
