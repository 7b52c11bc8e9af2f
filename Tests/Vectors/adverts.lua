--- Scores what the decoders that ship make of advertisements.

local codec = require "codec"
local compare = require "compare"
local native = require "decoders.native"

local adverts = { name = "advertisements", share = 0, groups_wanted = 5 }

-- The families that there are decoders for.
local families = { ruuvi = true, ibeacon = true, eddystone = true, ["atc-pvvx"] = true, ["bthome-v2"] = true }

-- What other libraries call a property of ours.
local ours = {
  ["ruuvi:acceleration"] = "acceleration_total",
  ["bthome-v2:button"] = "event_button",
}

-- Properties that the bytes do not say, by family: why.
local made_up = {
  ["ruuvi:battery"] = "an estimate from the voltage",
  ["ruuvi:motion"] = "an estimate from several advertisements",
  ["ruuvi:motion_timer"] = "an estimate from several advertisements",
  ["ibeacon:device"] = "a name of the expecting library's",
  ["atc-pvvx:status"] = "not in the firmware's documents",
}

-- Lines whose expectation is not what the format's document says.
local refuted = {
  ["ibeacon-003"] = "Apple's byte is the power at 1 m; the voltage is one library's reading of a positive one",
  ["ibeacon-006"] = "as ibeacon-003; and the major number has no sign",
  ["bthome-sensor-116"] = "of two temperatures it wants the last; bthome-sensor-068 wants them numbered",
}

function adverts.takes(vector) return vector.kind == "adv" and families[vector.family] or false end
function adverts.group(vector) return vector.family, "family" end
function adverts.must() return true end

local function bytes(hex) return codec.encode("hex", hex) end

local function advertisement(vector)
  local adv = {
    address = vector.address or "00:00:00:00:00:00", name = vector.name, services = vector.service_uuids or {},
    manufacturer_data = {}, service_data = {},
  }
  for company, data in pairs(vector.manufacturer_data or {}) do
    adv.manufacturer_data[tonumber(company, 16)] = bytes(data)
  end
  for uuid, data in pairs(vector.service_data or {}) do adv.service_data[uuid] = bytes(data) end
  return adv
end

local function same(got, wanted)
  if type(got) == "boolean" and type(wanted) == "number" then wanted = wanted ~= 0 end
  if type(got) == "string" and type(wanted) == "string" then return got == wanted or got == wanted:gsub(" ", "_") end
  if type(wanted) == "number" then return compare.near(got, wanted) end
  return got == wanted
end

local function is_disputed(vector, property)
  for _, name in ipairs(vector.disputed or {}) do
    if name == property then return true end
  end
  return made_up[vector.family .. ":" .. property] ~= nil
end

--- Whether an advertisement that can't be read is refused for the right reason.
local function refuses(vector, reading, reason)
  local wanted = vector.error ~= "no_match_or_malformed" and vector.error or nil
  if reading then return false, "taken, though " .. vector.error end
  return reason == wanted, ("%s, not %s"):format(reason, vector.error)
end

function adverts.judge(vector)
  local reading, reason = native.decode(advertisement(vector), vector.key and bytes(vector.key))
  if vector.negative then return refuses(vector, reading, reason) end
  if not reading then return false, reason or "nobody takes it" end
  if refuted[vector.id] then return nil, refuted[vector.id] end
  if not reading.decoder:find(vector.family, 1, true) then return false, "it is " .. reading.decoder .. "'s" end
  for property, wanted in pairs(vector.expect) do
    local got = reading[ours[vector.family .. ":" .. property] or property]
    if not is_disputed(vector, property) and not same(got, wanted) then
      return false, ("%s is %s, not %s"):format(property, compare.show(got), compare.show(wanted))
    end
  end
  return true
end

return adverts
