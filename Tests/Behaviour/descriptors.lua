-- Reading and writing descriptors.
local ble = require "ble"
local lab = require "support.lab"
local test = require "test"

local world = { world = "lab" }

test("descriptors are read by UUID or name", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  t.equal(dev:read_descriptor(lab.read, "2901"), "Greeting")
  t.equal(dev:read_descriptor(lab.read, "characteristic_presentation_format", { as = "hex" }), "19000027010000")
  t.equal(dev:read_descriptor(lab.read, "2901", { as = "utf8" }), "Greeting")
  t.equal(dev:read_descriptor(dev:characteristic(lab.read), lab.tag_descriptor), "tag")
end)

test("a descriptor that keeps what is written", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  dev:write_descriptor(lab.read, lab.tag_descriptor, 0x4142, { as = "u16be" })
  t.equal(dev:read_descriptor(lab.read, lab.tag_descriptor), "AB")
  local err = t.raises("att", function() dev:write_descriptor(lab.read, lab.tag_descriptor, "123456789") end)
  t.equal(err.att, 0x0d)
  t.equal(dev:read_descriptor(lab.read, lab.tag_descriptor), "AB")
  dev:write_descriptor(lab.read, lab.tag_descriptor, "tag")
end)

test("a descriptor that is read only", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local err = t.raises("att", function() dev:write_descriptor(lab.read, "2901", "x") end)
  t.equal(err.att, 0x03)
  t.equal(err.op, "write_descriptor")
  t.equal(err.ref, lab.read)
  t.equal(dev:read_descriptor(lab.read, "2901"), "Greeting")
end)

test("a descriptor that is not there: the error lists those that are", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local err = t.raises("not_found", function() dev:read_descriptor(lab.read, "2908") end)
  t.ok(err.message:find "2901" and err.message:find "2904", err.message)
  t.raises("not_found", function() dev:read_descriptor("2a6e", "2901") end)
  t.raises("ambiguous", function() dev:read_descriptor(lab.twin, "2901") end)
end)

test("the client's configuration is read, and written by subscribing only", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  t.equal(dev:read_descriptor(lab.notify, "2902"), "\0\0")
  local err = t.raises("unsupported", function() dev:write_descriptor(lab.notify, "2902", "\1\0") end)
  t.ok(err.advice:find "subscribe", err.advice)
  local notified = dev:subscribe(lab.notify, function() end)
  t.equal(dev:read_descriptor(lab.notify, "2902"), "\1\0")
  notified:cancel()
  t.eventually(function() return dev:read_descriptor(lab.notify, "2902") == "\0\0" end, 3)
  local indicated <close> = dev:subscribe(lab.indicate, function() end)
  t.ok(indicated)
  t.equal(dev:read_descriptor(lab.indicate, "2902"), "\2\0")
end)

test("extended properties", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  t.equal(dev:read_descriptor(lab.reliable, "2900"), "\1\0")
end)
