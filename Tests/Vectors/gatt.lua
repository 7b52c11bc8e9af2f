--- Scores what "auto" makes of characteristics' values.

local codec = require "codec"
local compare = require "compare"
local fields = require "gatt_fields"
local names = require "gatt_names"

local gatt = { name = "characteristics", share = 0.7, groups_wanted = 83 }

-- Those that a release has to know.
local known = [[
  2a37 2a38 2a19 2a1c 2a1e 2a1d 2a21 2a35 2a36 2a49 2a9d 2a9e 2a9c 2a5b 2a5c 2a5d 2a53 2a54 2a63 2a65 2a18 2a34 2a51
  2a52 2a5e 2a5f 2ad2 2acd 2ad1 2ad4 2ad5 2ad8 2a2b 2a08 2a09 2a0f 2a14 2a23 2a24 2a25 2a26 2a27 2a28 2a29 2a50 2a00
  2a01 2a04 2a05 2a06 2a07 2a6c 2a6d 2a6e 2a6f 2a70 2a71 2a72 2a73 2a74 2a75 2a76 2a77 2a78 2a79 2a7a 2a7b 2a2c 2aa0
  2aa1 2aa3 2afb 2b8c 2bcf 2bd0 2bd6 2b18 2aee 2b05 2af2 2a4a 2a4e 6e400003-b5a3-f393-e0a9-e50e24dcca9e
]]

-- Payloads that are longer than their characteristic, to which the expectation is what the first bytes say. We refuse
-- them: see scripts/lib/sig.lua.
local too_long = [[
  2a06:00000000 2a07:ffffffff 2a5d:00000000 2a6c:00000000 2a71:00000000 2a76:00000000 2a79:00000000 2a7a:ffffffff
  2aee:00000000 2af2:00000000 2afb:00000000 2b18:00000000 2b8c:00000000 2bcf:00000000 2bd6:00000000
]]

local required, refused = {}, {}
for id in known:gmatch "%S+" do required[id] = true end
for id in too_long:gmatch "%S+" do refused[id] = true end

function gatt.takes(vector)
  return vector.kind == "gatt"
end

function gatt.group(vector)
  return vector.gatt.char, vector.device
end

function gatt.must(id)
  return required[id] or false
end

--- Whether the value has the property; else what it has.
local function agrees(id, value, property, wanted, bytes)
  local reading = names.reading(id, property)
  if reading == names.by_layout then return codec.encode("auto", value, id) == bytes, "other bytes" end
  local got, as = fields.find(codec.registered(id), value, reading, property)
  return fields.equal(got, wanted, as), compare.show(got)
end

--- Whether bytes that should be refused are.
local function refuses(id, bytes)
  local good, problem = pcall(codec.decode, "auto", bytes, id)
  return not good and problem.code == "decode"
end

function gatt.judge(vector)
  local id, bytes = vector.gatt.char, codec.encode("hex", vector.gatt.value)
  if not codec.registered(id) then return false, "nothing is registered" end
  if refused[id .. ":" .. vector.gatt.value] then
    if refuses(id, bytes) then return nil, "longer than the characteristic: " .. vector.gatt.value end
    return false, "longer than the characteristic, and taken all the same"
  end
  local good, value = pcall(codec.decode, "auto", bytes, id)
  if not good then return false, tostring(value) end
  for property, wanted in pairs(vector.expect) do
    local fits, same, got = pcall(agrees, id, value, property, wanted, bytes)
    if not fits then return false, ("%s: %s"):format(property, same) end
    if not same then return false, ("%s is %s, not %s"):format(property, got, compare.show(wanted)) end
  end
  return true
end

return gatt
