-- What an advertisement says: adv:decode, ble.keys.
local ble = require "ble"
local lab = require "support.lab"
local test = require "test"

local world = { world = "lab" }

test("a beacon's advertisement decodes", world, function(t)
  local reading = ble.find({ address = lab.ibeacon }):decode()
  t.equal(reading.uuid, "000102030405060708090a0b0c0d0e0f")
  t.equal(reading.major, 1)
  t.equal(reading.minor, 2)
  t.equal(reading.measured_power, -59)
  t.equal(reading.model, "iBeacon")
  t.equal(reading.rule, "beacon")
  t.ok(reading.decoder:find "^ibeacon %d")
end)

test("what no decoder takes is nil", world, function(t)
  local adv = ble.find { address = lab.ghost }
  t.equal(select("#", adv:decode()), 1)
  t.equal(adv:decode(), nil)
end)

-- The advertisement of an encrypted sensor, which is not in the lab, in the place of another one's.
local function sealed()
  local adv = ble.find { address = lab.ghost }
  adv.address = "54:48:E6:8F:80:A5"
  adv.service_data = {
    fcd2 = "\x41\xce\xf9\xca\x04\xb7\x8b\x66\x4f\x32\xca\x4d\x46\x18\x75\xf3\x68\x84\x3c",
  }
  return adv
end

test("an encrypted one wants its key", world, function(t)
  local adv = sealed()
  local reading, reason, decoder = adv:decode()
  t.equal(reading, nil)
  t.equal(reason, "key_required")
  t.equal(decoder, "bthome-v2")
  ble.keys["54:48:e6:8f:80:a5"] = "f2027fcff47734cfb574ab4b3087a66c"
  t.equal(ble.keys["54:48:E6:8F:80:A5"], "f2027fcff47734cfb574ab4b3087a66c")
  t.near(adv:decode().temperature, 36.8, 0.001)
  ble.keys["54:48:E6:8F:80:A5"] = "f2027fcff47734cfb574ab4b3087a66d"
  t.equal(select(2, adv:decode()), "decrypt_failed")
  ble.keys["54:48:E6:8F:80:A5"] = nil
  t.equal(select(2, adv:decode()), "key_required")
end)

test("a key that is none is named", world, function(t)
  local adv = sealed()
  ble.keys[adv.address] = "not hex"
  local message = t.raises(function() adv:decode() end)
  t.ok(message:find("the key of 54:48:E6:8F:80:A5 is not made of hexadecimal digits", 1, true), message)
  t.raises(function() ble.keys[adv.address] = 7 end)
end)
