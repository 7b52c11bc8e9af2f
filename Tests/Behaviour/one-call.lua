-- ble.read and ble.write: connect, do it, disconnect.
local ble = require "ble"
local lab = require "support.lab"
local task = require "task"
local test = require "test"

local world = { world = "lab" }

local function is_down(t, address)
  local dev = ble.device(address)
  t.eventually(function() return not dev.connected end, 5)
end

test("a read by address connects and disconnects", world, function(t)
  t.equal(ble.read(lab.pulse, "180f/2a19", { as = "u8", timeout = 8 }), 85)
  is_down(t, lab.pulse)
end)

test("a read by advertisement, filter or device", world, function(t)
  t.equal(ble.read(ble.find { name = "Pulse" }, "2a19"), "\x55")
  t.equal(ble.read({ name = "Pulse" }, "2a19"), "\x55")
  t.equal(ble.read(ble.device(lab.pulse), "2a19"), "\x55")
  is_down(t, lab.pulse)
end)

test("a write", world, function(t)
  ble.write(lab.lab, lab.command, 0x0102, { as = "u16be" })
  t.equal(ble.read(lab.lab, lab.command), "\1\2")
  ble.write(lab.lab, lab.command, "")
  is_down(t, lab.lab)
end)

test("a link that is there is used, and left", world, function(t)
  local dev <close> = ble.connect(lab.pulse)
  t.equal(ble.read(lab.pulse, "2a19"), "\x55")
  task.sleep(3)
  t.equal(dev.connected, true)
end)

test("two at once on one device share the link", world, function(t)
  local links = 0
  local watch = ble.device(lab.lab):on("disconnect", function() links = links + 1 end)
  local results = task.all {
    function() return ble.read(lab.lab, lab.slow) end,
    function() return ble.read(lab.lab, lab.read) end,
  }
  t.equal(results, { "slow", "hello" })
  is_down(t, lab.lab)
  task.sleep(0.2)
  t.equal(links, 1)
  watch:cancel()
end)

test("on two devices at once", world, function(t)
  t.equal(task.all {
    function() return ble.read(lab.lab, lab.read) end,
    function() return ble.read(lab.pulse, "2a19") end,
  }, { "hello", "\x55" })
end)

test("an error disconnects too, and names the operation", world, function(t)
  local err = t.raises("not_found", function() ble.read(lab.pulse, "2a6e") end)
  t.equal(err.op, "read")
  t.equal(err.stage, "attribute")
  is_down(t, lab.pulse)
  t.equal(t.raises("att", function() ble.write(lab.pulse, "2a39", "\2") end).att, 0x80)
  is_down(t, lab.pulse)
end)

test("the time-out is for everything", world, function(t)
  local before = task.now()
  local err = t.raises("timeout", function() ble.read(lab.lab, lab.silent, { timeout = 3 }) end)
  t.near(task.now() - before, 3, 0.5)
  t.equal(err.op, "read")
  t.equal(err.stage, "exchange")
  is_down(t, lab.lab)
  before = task.now()
  t.raises("not_found", function() ble.read(lab.nobody, "2a19", { timeout = 1 }) end)
  t.near(task.now() - before, 1, 0.5)
end)
