--- The Bluetooth SIG's definitions of characteristics (GATT Specification Supplement), for `as = "auto"`:
-- codecs by UUID. Loaded when the first "auto" asks for one.

local codec = require "codec"
local errors = require "ble.error"

local function refuse(code, message)
  errors.raise { code = code, message = message }
end

--- 2a37: { bpm = 72, contact = true, energy = 12, rr = { 0.83, 0.85 } }. `contact` is nil where the sensor can't tell,
-- `energy` (kJ since the last reset) and `rr` (seconds between beats, oldest first) where it does not say.
local WIDE, CONTACT, CAN_TELL, ENERGY, RR = 0x01, 0x02, 0x04, 0x08, 0x10

local heart_rate = { name = "heart rate measurement" }

function heart_rate.decode(bytes)
  local flags = bytes:byte() or refuse("decode", "heart rate measurement: no bytes came")
  local position = 2

  local function take(layout, what)
    local size = string.packsize(layout)
    if position + size - 1 > #bytes then
      refuse("decode", ("heart rate measurement: %s is cut off after %d bytes"):format(what, #bytes))
    end
    local value = string.unpack(layout, bytes, position)
    position = position + size
    return value
  end

  local beat = { bpm = take(flags & WIDE ~= 0 and "<I2" or "<I1", "the rate") }
  if flags & CAN_TELL ~= 0 then beat.contact = flags & CONTACT ~= 0 end
  if flags & ENERGY ~= 0 then beat.energy = take("<I2", "the energy") end
  if flags & RR ~= 0 then
    beat.rr = {}
    while position <= #bytes do beat.rr[#beat.rr + 1] = take("<I2", "an RR interval") / 1024 end
  end
  if position <= #bytes then
    refuse("decode", ("heart rate measurement: %d bytes too many came"):format(#bytes - position + 1))
  end
  return beat
end

function heart_rate.encode(beat)
  if type(beat) ~= "table" then refuse("encode", "heart rate measurement takes a table: { bpm = 72 }") end
  local wide = (math.tointeger(beat.bpm) or 0) > 255
  local flags = wide and WIDE or 0
  local parts = { "", codec.encode(wide and "u16" or "u8", beat.bpm) }
  if beat.contact ~= nil then flags = flags | CAN_TELL | (beat.contact and CONTACT or 0) end
  if beat.energy then
    flags = flags | ENERGY
    parts[#parts + 1] = codec.encode("u16", beat.energy)
  end
  if beat.rr then
    flags = flags | RR
    for _, seconds in ipairs(beat.rr) do parts[#parts + 1] = codec.encode("u16", (seconds * 1024 + 0.5) // 1) end
  end
  parts[1] = string.char(flags)
  return table.concat(parts)
end

return {
  ["2a37"] = heart_rate,
  ["2a38"] = codec.enum("u8", { [0] = "other", "chest", "wrist", "finger", "hand", "ear_lobe", "foot" }),

  ["2a19"] = codec.u8, -- battery level, percent
  ["2a07"] = codec.i8, -- tx power level, dBm

  ["2a00"] = codec.utf8, -- device name
  ["2a24"] = codec.utf8, -- model number
  ["2a25"] = codec.utf8, -- serial number
  ["2a26"] = codec.utf8, -- firmware revision
  ["2a27"] = codec.utf8, -- hardware revision
  ["2a28"] = codec.utf8, -- software revision
  ["2a29"] = codec.utf8, -- manufacturer name
}
