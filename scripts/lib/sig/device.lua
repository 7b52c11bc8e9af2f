--- Device Information, 180a, Generic Access, 1800, Generic Attribute, 1801, and other things about the device itself.

local codec = require "codec"
local complaint = require "codec.complaint"
local fixed = require "codec.fixed"

local record, scaled, utf8 = codec.record, codec.scaled, codec.utf8

--- Bytes in the other order, as hexadecimal digits.
local function reversed(size)
  return fixed("hex", size, function(bytes)
    return codec.hex.decode(bytes:reverse())
  end, function(value)
    local bytes = codec.hex.encode(value):reverse()
    if #bytes ~= size then complaint.refuse("encode", "takes %d bytes, not %d", size, #bytes) end
    return bytes
  end)
end

local interval = scaled("u16", 1.25, "ms", 0xffff)

return {
  -- Device Information
  ["2a24"] = utf8, -- model number
  ["2a25"] = utf8, -- serial number
  ["2a26"] = utf8, -- firmware revision
  ["2a27"] = utf8, -- hardware revision
  ["2a28"] = utf8, -- software revision
  ["2a29"] = utf8, -- manufacturer name

  -- System ID. The last byte of either number comes first, so oui = "123456" is 12-34-56 in the list of the IEEE.
  ["2a23"] = record("system id", { { "manufacturer_id", reversed(5) }, { "oui", reversed(3) } }),

  ["2a2a"] = codec.bytes, -- IEEE 11073-20601 regulatory certification data list

  -- PnP ID. A product version of 0x0213 is 2.1.3.
  ["2a50"] = record("pnp id", {
    { "vendor_id_source", codec.enum("u8", { "bluetooth", "usb" }) },
    { "vendor_id", "u16" },
    { "product_id", "u16" },
    { "product_version", "u16" },
  }),

  ["2bff"] = record("udi for medical devices", {
    { flags = "u8" },
    { "label_given", bit = 0 }, { "device_identifier_given", bit = 1 },
    { "issuer_given", bit = 2 }, { "authority_given", bit = 3 },
    { "texts", codec.bytes }, -- one after the other, each with a zero at its end
  }),

  -- Generic Access
  ["2a00"] = utf8, -- device name
  ["2a01"] = codec.bits("u16", { { "subcategory", 6 }, { "category", 10 } }), -- appearance
  ["2a02"] = codec.bool, -- peripheral privacy
  ["2a03"] = codec.bytes, -- reconnection address
  ["2a04"] = record("preferred connection parameters", {
    { "min_interval", interval },
    { "max_interval", interval },
    { "latency", scaled("u16", 1, "events") },
    { "timeout", scaled("u16", 10, "ms", 0xffff) },
  }),
  ["2aa6"] = codec.bool, -- central address resolution
  ["2ac9"] = codec.bool, -- resolvable private address only
  ["2bf5"] = codec.list(record("le security", { { "mode", "u8" }, { "level", "u8" } })),

  -- Generic Attribute
  ["2a05"] = record("service changed", { { "start_handle", "u16" }, { "end_handle", "u16" } }),
  ["2b29"] = codec.bits("u8", { "robust_caching", "enhanced_att", "multiple_notifications" }),
  ["2b2a"] = codec.hex, -- database hash
  ["2b3a"] = codec.bits("u8", { "enhanced_att" }),

  ["2a06"] = codec.enum("u8", { [0] = "none", "mild", "high" }), -- alert level
  ["2a07"] = scaled("i8", 1, "dBm"),                             -- tx power level

  -- Nordic UART, from the device to us and to the device. A stream: what belongs together may come in pieces.
  ["6e400003-b5a3-f393-e0a9-e50e24dcca9e"] = codec.bytes,
  ["6e400002-b5a3-f393-e0a9-e50e24dcca9e"] = codec.bytes,
}
