---@meta codec

--- Values to bytes and back.
---@class codec
---@field u8 Codec     0 to 255
---@field i8 Codec     -128 to 127
---@field u16 Codec
---@field i16 Codec
---@field u24 Codec
---@field i24 Codec
---@field u32 Codec
---@field i32 Codec
---@field u48 Codec
---@field u64 Codec    Up to 2^63 - 1, the most that a Lua integer holds; more is an error.
---@field i64 Codec
---@field u8be Codec
---@field i8be Codec
---@field u16be Codec
---@field i16be Codec
---@field u24be Codec
---@field i24be Codec
---@field u32be Codec
---@field i32be Codec
---@field u48be Codec
---@field u64be Codec
---@field i64be Codec
---@field f32 Codec    IEEE 754, 4 bytes
---@field f64 Codec    IEEE 754, 8 bytes
---@field f32be Codec
---@field f64be Codec
---@field sfloat Codec IEEE 11073, 2 bytes. nil: NaN, NRes or reserved. Infinities: ±math.huge. nil encodes to NaN.
---@field float Codec  IEEE 11073, 4 bytes; as sfloat.
---@field sfloatbe Codec
---@field floatbe Codec
---@field bool Codec   One byte, 0 or 1; any other is an error.
---@field utf8 Codec   Text; zeros at its end are left out.
---@field hex Codec    Two digits a byte, in lower case. To encode, blanks, ":" and "-" may stand between digits.
---@field uuid Codec   2, 4 or 16 bytes; in text "180f", or 36 characters.
---@field bytes Codec  The bytes as they are.
local codec = {}

--- How a value is laid out in bytes.
---@class Codec
---@field decode? fun(bytes: string): any ...
---@field encode? fun(value: any): string
---@field size? integer  The number of bytes, where it is fixed: what codec.struct has to know.
---@field name? string   For messages.

--- A name of codec's fields, a format of string.pack (little-endian unless it says otherwise), a codec, a function that
--- decodes, or "auto": what is registered for the characteristic, else the Bluetooth SIG's definition.
---@alias As
---| "auto"
---| "u8" | "i8" | "u16" | "i16" | "u24" | "i24" | "u32" | "i32" | "u48" | "u64" | "i64"
---| "u8be" | "i8be" | "u16be" | "i16be" | "u24be" | "i24be" | "u32be" | "i32be" | "u48be" | "u64be" | "i64be"
---| "f32" | "f64" | "f32be" | "f64be" | "sfloat" | "float" | "sfloatbe" | "floatbe"
---| "bool" | "utf8" | "hex" | "uuid" | "bytes"
---| string
---| Codec
---| fun(bytes: string): any

--- Decodes all of `bytes`; a format of several values gives them all.
--- Raises `decode` where there are too few or too many bytes, or a value that can't be.
---@param as As
---@param bytes string
---@param uuid? string  The characteristic's, for "auto".
---@return any ...
function codec.decode(as, bytes, uuid) end

--- Encodes a value; for a format of several values, a list of them.
--- Raises `encode` where it does not fit.
---@param as As
---@param value any
---@param uuid? string  The characteristic's, for "auto".
---@return string bytes
function codec.encode(as, value, uuid) end

--- From now on "auto" means `as` for characteristics of this UUID.
---@param uuid string
---@param as As
function codec.register(uuid, as) end

--- What "auto" stands for; nil if nothing is registered.
---@param uuid string
---@return Codec?
function codec.registered(uuid) end

--- A table whose fields follow each other. All but the last must have a fixed length.
---
--- ```lua
--- local Reading = codec.struct{ { "flags", "u8" }, { "celsius", "sfloat" } }
--- local reading = dev:read("fff1", { as = Reading })
--- print(reading.celsius)
--- ```
---@param fields [string, As][]
---@return Codec
function codec.struct(fields) end

--- Names for numbers. One without a name stays a number.
---
--- ```lua
--- local Mode = codec.enum("u8", { [0] = "off", "on", "auto" })
--- ```
---@param as As
---@param names table<integer, string>
---@return Codec
function codec.enum(as, names) end

return codec
