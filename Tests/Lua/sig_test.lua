-- The SIG's characteristics: what "auto" makes of bytes and values. Prints TAP: blescript Tests/Lua/sig_test.lua

local codec = require "codec"
local sig = require "sig"
local tap = require "tap"
local vectors = require "sig_vectors"

local test, equal, raises, show = tap.test, tap.equal, tap.raises, tap.show
local bytes_of, random_bytes = tap.bytes_of, tap.random_bytes

local function decode(id, hex)
  return codec.decode("auto", bytes_of(hex), id)
end

local function encode(id, value)
  return codec.decode("hex", codec.encode("auto", value, id))
end

--- All UUIDs that there is a definition for, in order.
local function known()
  local list = {}
  for _, ids in pairs(sig.topics) do
    for id in ids:gmatch "%S+" do list[#list + 1] = id end
  end
  table.sort(list)
  return list
end

--- Without the flags that are false.
local function true_ones(value)
  if type(value) ~= "table" then return value end
  local kept = {}
  for key, inner in pairs(value) do
    if inner ~= false then kept[key] = true_ones(inner) end
  end
  return kept
end

-- Numbers of IEEE 11073 can be written in several ways; we write the shortest.
local many_ways = {}
for id in ("2a1c 2a1e 2a18 2a34 2a35 2a36 2a5e 2a5f 2bd6"):gmatch "%S+" do many_ways[id] = true end

-- A value that only one who writes it can get wrong: dates are checked when they are encoded, not when they come.
local checks_dates = {}
for id in ("2a08 2a0a 2a0c 2a11 2a18 2a1c 2a1e 2a2b 2a35 2a36 2a5e 2a67 2a68 2a85 2a86 2a9c 2a9d 2aaa 2ac1 2ac2 " ..
  "2aed 2bef 2c0e"):gmatch "%S+" do
  checks_dates[id] = true
end

for _, vector in ipairs(vectors) do
  local id, hex, wanted = vector[1], vector[2], vector[3]

  test(("%s %s"):format(id, hex), function()
    local value = decode(id, hex)
    equal(true_ones(value), true_ones(wanted))
    local again = encode(id, value)
    if not many_ways[id] then equal(again, hex, "encoded again") end
    equal(decode(id, again), value, "encoded and decoded again")
  end)
end

test("a value may leave out the flags that are false", function()
  for _, vector in ipairs(vectors) do
    local tells_false = vector[1] == "2a37" -- no contact is not the same as contact not told
    if vector[3] ~= nil and not many_ways[vector[1]] and not tells_false then
      equal(encode(vector[1], true_ones(vector[3])), vector[2], vector[1])
    end
  end
end)

test("each topic has what the index says, and no more", function()
  for topic, ids in pairs(sig.topics) do
    local listed = {}
    for id in ids:gmatch "%S+" do
      listed[id] = true
      assert(codec.registered(id), ("%s of %s is missing"):format(id, topic))
    end
    for id in pairs(require("sig." .. topic)) do
      assert(listed[id], ("%s of %s is not in the index"):format(id, topic))
    end
  end
end)

test("a topic is loaded when it is asked for", function()
  for name in pairs(package.loaded) do
    if name:find "^sig" then package.loaded[name] = nil end
  end
  local fresh = require "sig"
  equal(package.loaded["sig.fitness"], nil)
  assert(fresh["2ad2"])
  assert(package.loaded["sig.fitness"])
  equal(package.loaded["sig.glucose"], nil)
  equal(fresh["0000"], nil)
end)

-- Bytes too few or too many

test("cut off: the error names the field and the bytes", function()
  raises("decode", "heart rate measurement: flags takes byte 1; 0 came$", decode, "2a37", "")
  raises("decode", "heart rate measurement: bpm takes byte 2; 1 came: 00$", decode, "2a37", "00")
  raises("decode", "bpm takes bytes 2 to 3; 2 came: 01 48$", decode, "2a37", "0148")
  raises("decode", "energy takes bytes 3 to 4; 3 came", decode, "2a37", "084801")
  raises("decode", "rr: a list takes a multiple of 2 bytes; 3 came", decode, "2a37", "1048000400")
  raises("decode", "weight measurement: timestamp takes bytes 4 to 10; 5 came", decode, "2a9d", "02b036ea07")
  raises("decode", "u8 takes 1 byte; 0 came", decode, "2a19", "")
  raises("decode", "fitness machine control point takes at least 1 byte", decode, "2ad9", "")
  raises("decode", "set_target_speed: speed takes bytes 1 to 2; 1 came: 52", decode, "2ad9", "0252")
end)

test("too long: the error names the last field", function()
  raises("decode", "heart rate measurement ends after 2 bytes %(bpm%); 3 came: 00 48 00$", decode, "2a37", "004800")
  raises("decode", "current time ends after 10 bytes %(adjust_reason%); 11 came", decode, "2a2b",
    "ea070b1e0d2a0501000000")
  raises("decode", "u16 takes 2 bytes; 4 came", decode, "2a71", "00000000")
  raises("decode", "takes 1 byte; 4 came", decode, "2a06", "00000000")
  raises("decode", "indoor bike data", decode, "2ad2", "4400c80aac00ba0000")
end)

test("whatever is cut off of a payload, nothing is made up", function()
  for _, vector in ipairs(vectors) do
    local id, bytes = vector[1], bytes_of(vector[2])
    local fixed = codec.registered(id).size
    for length = 0, #bytes + 1 do
      local good, problem = pcall(codec.decode, "auto", (bytes .. "\0"):sub(1, length), id)
      if not good then equal(problem.code, "decode", id) end
      if good and fixed then equal(length, fixed, id .. ": the length it takes") end
    end
  end
end)

-- Values that do not fit

test("what does not fit is an error that says so", function()
  raises("encode", "bpm: u16 takes a whole number from 0 to 65535, not 70000", encode, "2a37", { bpm = 70000 })
  raises("encode", "bpm: u8 takes a whole number from 0 to 255, not nil", encode, "2a37", {})
  raises("encode", "takes a table, not 72", encode, "2a37", 72)
  raises("encode", 'there is no field "pulse"', encode, "2a37", { bpm = 72, pulse = 72 })
  raises("encode", "contact takes true or false, not 1", encode, "2a37", { bpm = 72, contact = 1 })
  raises("encode", "rr: item 2: takes 0.0 to 63.99", encode, "2a37", { bpm = 72, rr = { 1, 70 } })
  raises("encode", "takes %-327.68 to 327.67 °C in steps of 0.01, not 400", encode, "2a6e", 400)
  raises("encode", "not %-327.68", encode, "2a6e", -327.68) -- its bytes mean "not known"
  raises("encode", '"ankle" is none of the names', encode, "2a38", "ankle")
  raises("encode", "month: takes a whole number from 1 to 12, not 13", encode, "2a08",
    { year = 2026, month = 13, day = 1, hour = 0, min = 0, sec = 0 })
  raises("encode", 'there is no flag "sped"', encode, "2a5c", { sped = true })
  raises("encode", "opcode takes one of its names or 0 to 255, not \"dance\"", encode, "2ad9", { opcode = "dance" })
  raises("encode", "set_target_power: power: takes", encode, "2ad9", { opcode = "set_target_power" })
  raises("encode", 'set_target_power: there is no field "speed"', encode, "2ad9",
    { opcode = "set_target_power", power = 1, speed = 3 })
end)

test("a weight too heavy in kg is not taken for pounds", function()
  raises("encode", "weight: takes 0.0 to 327.675 kg", encode, "2a9d", { weight = 400 })
  equal(encode("2a9d", { weight = 400, weight_unit = "lb" }), "01409c")
end)

test("units that contradict each other", function()
  raises("encode", "can't be", encode, "2a9d",
    { weight = 70, weight_unit = "kg", bmi = 20, height = 70, height_unit = "in" })
end)

test("what is not known can be written", function()
  equal(encode("2a6e", nil), "0080")
  equal(encode("2a6f", nil), "ffff")
  equal(encode("2a08", { hour = 1, min = 2, sec = 3 }), "00000000010203")
end)

test("os.date's table can be written as it is", function()
  local now = os.date("*t", 1000000000)
  local value = { day_of_week = 1, fraction = 0, adjust_reason = { manual = true } }
  for key, field in pairs(now) do value[key] = field end
  for _, extra in ipairs { "isdst", "wday", "yday" } do value[extra] = nil end
  equal(#encode("2a2b", value), 20)
  equal(#encode("2a08", now), 14)
end)

test("the rate takes a second byte only when it has to", function()
  equal(encode("2a37", { bpm = 255 }), "00ff")
  equal(encode("2a37", { bpm = 256 }), "010001")
end)

test("without the first fields a fitness machine's flag says so", function()
  equal(encode("2ad2", { power = 186 }), "4100ba00")
  equal(encode("2ad2", { speed = 0, power = 186 }), "40000000ba00")
end)

test("numbers are rounded to the nearest step", function()
  equal(encode("2a6e", 23.456), encode("2a6e", 23.46))
  equal(encode("2a6e", -0.006), "ffff")
end)

-- Random bytes: what is decoded can be encoded, and is the same when it is decoded again.

math.randomseed(20261130)

test("random bytes", function()
  local decoded = 0
  for _, id in ipairs(known()) do
    local size = codec.registered(id).size
    for _ = 1, 60 do
      local bytes = random_bytes(size or math.random(0, 24))
      local good, value = pcall(codec.decode, "auto", bytes, id)
      if not good then
        equal(value.code, "decode", id .. " " .. codec.decode("hex", bytes))
      else
        decoded = decoded + 1
        local fits, again = pcall(codec.encode, "auto", value, id)
        local what = ("%s %s %s"):format(id, codec.decode("hex", bytes), show(value))
        if fits then
          equal(codec.decode("auto", again, id), value, what)
        elseif not (checks_dates[id] and again.code == "encode") then
          error(("%s: %s"):format(what, again))
        end
      end
    end
  end
  assert(decoded > 10000, ("only %d were decoded"):format(decoded))
end)

-- Values of random fields: what is encoded is the same when it is decoded.

local function maybe(value) return math.random(2) == 1 and value or nil end

local function random_beat()
  local rr = {}
  for i = 1, math.random(0, 5) do rr[i] = math.random(0, 65535) / 1024 end
  return {
    bpm = math.random(0, 65535) >> math.random(0, 12),
    contact = ({ true, false })[math.random(3)],
    energy = maybe(math.random(0, 65535)),
    rr = maybe(rr),
  }
end

local function random_weight()
  local in_pounds, tall = math.random(2) == 1, math.random(2) == 1
  return {
    weight = math.random(0, 65534) / (in_pounds and 100 or 200), weight_unit = in_pounds and "lb" or "kg",
    user_id = maybe(math.random(0, 254)),
    bmi = tall and math.random(0, 65535) / 10 or nil,
    height = tall and math.random(0, 65535) / (in_pounds and 10 or 1000) or nil,
    height_unit = tall and (in_pounds and "in" or "m") or nil,
  }
end

local function random_ride()
  return {
    speed = maybe(math.random(0, 65535) / 100), cadence = maybe(math.random(0, 65535) / 2),
    total_distance = maybe(math.random(0, 0xffffff)), power = maybe(math.random(-32768, 32767)),
    heart_rate = maybe(math.random(0, 255)), metabolic_equivalent = maybe(math.random(0, 255) / 10),
    elapsed_time = maybe(math.random(0, 65535)), remaining_time = maybe(math.random(0, 65535)),
  }
end

local function random_time()
  return {
    year = math.random(1582, 9999), month = math.random(12), day = math.random(31), hour = math.random(0, 23),
    min = math.random(0, 59), sec = math.random(0, 59), day_of_week = maybe(math.random(7)),
    fraction = math.random(0, 255) / 256, adjust_reason = {
      manual = math.random(2) == 1, reference = math.random(2) == 1, time_zone = math.random(2) == 1,
      dst = math.random(2) == 1,
    },
  }
end

local random_values = {
  { "2a37", random_beat }, { "2a9d", random_weight }, { "2ad2", random_ride }, { "2a2b", random_time },
}

for _, entry in ipairs(random_values) do
  local id, make = entry[1], entry[2]
  test(id .. " of random fields", function()
    for _ = 1, 500 do
      local value = make()
      equal(codec.decode("auto", codec.encode("auto", value, id), id), value)
    end
  end)
end

test("dates, there and back", function()
  for days = 0, 60000, 7 do
    local bytes = codec.encode("u24", days)
    local date = codec.decode("auto", bytes, "2aed")
    equal(codec.encode("auto", date, "2aed"), bytes, show(date))
  end
end)

-- Counters

test("a counter that starts again", function()
  equal(sig.difference(5, 2, 65536), 3)
  equal(sig.difference(2, 65534, 65536), 4)
  equal(sig.difference(0.5, 63.5, 64), 1.0)
  local turned = sig.counter(65536)
  equal(turned(65530), nil)
  equal(turned(65530), 0)
  equal(turned(4), 10)
end)

test("revolutions a second", function()
  local rate = sig.rate(65536, 64)
  equal(rate(65535, 63.0), nil)
  equal(rate(1, 0.0), 2.0)   -- two turns, one second, both went round
  equal(rate(1, 0.0), 0.0)   -- no turn since
  equal(rate(4, 2.0), 1.5)
  equal(rate(5, 2.0), nil)   -- a turn that took no time
end)

tap.done()
