local ble = require "ble"
local test = require "test"

test("reads the battery level", { world = "heart-rate" }, function(t)
  t.equal(ble.read("C8:3F:26:00:00:01", "2a19", { as = "u8" }), 85)
end)

test("says what the sensor refuses", { world = "heart-rate" }, function(t)
  local err = t.raises("att", function() ble.write("C8:3F:26:00:00:01", "2a39", "\x02") end)
  t.equal(err.att, 0x80)
end)
