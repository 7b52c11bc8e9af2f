---@meta codec

--- Values to bytes and back.
---@class codec
---@field u8 codec.codec     0 to 255
---@field i8 codec.codec     -128 to 127
---@field u16 codec.codec
---@field i16 codec.codec
---@field u24 codec.codec
---@field i24 codec.codec
---@field u32 codec.codec
---@field i32 codec.codec
---@field u48 codec.codec
---@field u64 codec.codec    Up to 2^63 - 1, the most that a Lua integer holds; more is an error.
---@field i64 codec.codec
---@field u8be codec.codec
---@field i8be codec.codec
---@field u16be codec.codec
---@field i16be codec.codec
---@field u24be codec.codec
---@field i24be codec.codec
---@field u32be codec.codec
---@field i32be codec.codec
---@field u48be codec.codec
---@field u64be codec.codec
---@field i64be codec.codec
---@field f32 codec.codec    IEEE 754, 4 bytes
---@field f64 codec.codec    IEEE 754, 8 bytes
---@field f32be codec.codec
---@field f64be codec.codec
---@field sfloat codec.codec IEEE 11073, 2 bytes. nil: NaN, NRes, reserved. Infinities: ±math.huge. nil encodes to NaN.
---@field float codec.codec  IEEE 11073, 4 bytes; as sfloat.
---@field sfloatbe codec.codec
---@field floatbe codec.codec
---@field bool codec.codec   One byte, 0 or 1; any other is an error.
---@field utf8 codec.codec   Text; zeros at its end are left out.
---@field hex codec.codec    Two digits a byte, in lower case. To encode, blanks, ":" and "-" may stand between digits.
---@field uuid codec.codec   2, 4 or 16 bytes; in text "180f", or 36 characters.
---@field bytes codec.codec  The bytes as they are.
local codec = {}

--- How a value is laid out in bytes.
---@class codec.codec
---@field decode? fun(bytes: string): any ...
---@field encode? fun(value: any): string
---@field size? integer  The number of bytes, where it is fixed: what codec.struct has to know.
---@field name? string   For messages.
---@field unit? string   Of a scaled number: "°C".

--- A name of codec's fields, a format of string.pack (little-endian unless it says otherwise), a codec, a function that
--- decodes, or "auto": what is registered for the characteristic, else the Bluetooth SIG's definition.
---@alias codec.as
---| "auto"
---| "u8" | "i8" | "u16" | "i16" | "u24" | "i24" | "u32" | "i32" | "u48" | "u64" | "i64"
---| "u8be" | "i8be" | "u16be" | "i16be" | "u24be" | "i24be" | "u32be" | "i32be" | "u48be" | "u64be" | "i64be"
---| "f32" | "f64" | "f32be" | "f64be" | "sfloat" | "float" | "sfloatbe" | "floatbe"
---| "bool" | "utf8" | "hex" | "uuid" | "bytes"
---| string
---| codec.codec
---| fun(bytes: string): any

--- Decodes all of `bytes`; a format of several values gives them all.
--- Raises `decode` where there are too few or too many bytes, or a value that can't be.
---@param as codec.as
---@param bytes string
---@param uuid? string  The characteristic's, for "auto".
---@return any ...
function codec.decode(as, bytes, uuid) end

--- Encodes a value; for a format of several values, a list of them.
--- Raises `encode` where it does not fit.
---@param as codec.as
---@param value any
---@param uuid? string  The characteristic's, for "auto".
---@return string bytes
function codec.encode(as, value, uuid) end

--- From now on "auto" means `as` for characteristics of this UUID.
---@param uuid string
---@param as codec.as
function codec.register(uuid, as) end

--- What "auto" stands for; nil if nothing is registered.
---@param uuid string
---@return codec.codec?
function codec.registered(uuid) end

--- A table whose fields follow each other. All but the last must have a fixed length.
---
--- ```lua
--- local Reading = codec.struct{ { "flags", "u8" }, { "celsius", "sfloat" } }
--- local reading = dev:read("fff1", { as = Reading })
--- print(reading.celsius)
--- ```
---@param fields [string, codec.as][]
---@return codec.codec
function codec.struct(fields) end

--- Names for numbers. One without a name stays a number.
---
--- ```lua
--- local Mode = codec.enum("u8", { [0] = "off", "on", "auto" })
--- ```
---@param as codec.as
---@param names table<integer, string>
---@return codec.codec
function codec.enum(as, names) end

--- A whole number that stands for a quantity, in steps. What does not fall on a step is rounded to the nearest.
---
--- ```lua
--- local celsius = codec.scaled("i16", 0.01, "°C", -32768)
--- print(dev:read("2a6e", { as = celsius }))
--- ```
---@param as codec.as         An integer such as "u16".
---@param step number         0.01: a hundred is 1. A whole step keeps whole numbers.
---@param unit? string        What it is measured in.
---@param unknown? integer    The number that stands for "not known", nil in Lua.
---@return codec.codec
function codec.scaled(as, step, unit, unknown) end

---@alias codec.bit string|integer|[string, integer]|[string, integer, table<integer, string>]

--- A number whose bits have names, from bit 0 on. A name is one bit, true or false; `{ name, width }` a number of so
--- many bits; `{ name, width, names }` one with names for numbers; a number skips so many bits. What is set in bits
--- without a name is `reserved`, or what the field `reserved` of the list calls it.
---
--- ```lua
--- local Status = codec.bits("u8", { "moving", "charging", 2, { "level", 4 } })
--- ```
---@param as codec.as
---@param entries codec.bit[]|{ reserved?: string }
---@return codec.codec
function codec.bits(as, entries) end

--- The same thing again and again, to the end of the bytes.
---@param as codec.as  Of a fixed length.
---@return codec.codec
function codec.list(as) end

--- Whichever takes it, tried in order. To encode, one that keeps the value as it is goes before one that rounds it.
---@param ... codec.as
---@return codec.codec
function codec.either(...) end

--- A field of a record. `when`, `unless`: bits of the flags, one or a list.
---@class codec.field
---@field [1]? string|codec.codec      The name. Instead, a record or bits: their fields are this record's own.
---@field [2]? codec.as
---@field flags? codec.as              This field is the flags.
---@field when? integer|integer[]      It is there if these are set.
---@field unless? integer|integer[]    It is there if these are clear.
---@field optional? boolean            It is there if bytes are left.
---@field bit? integer                 It takes no bytes: it is this bit of the flags.
---@field width? integer               So many bits.
---@field names? table<integer, string> Names for what they say.

--- A layout in which flags say which fields there are; it reads like the table in a specification. To encode, the
--- flags follow from the fields that are given. Fields of one name are alternatives: the first that takes the value is
--- written.
---
--- ```lua
--- local HeartRate = codec.record("heart rate measurement", {
---   { flags = "u8" },
---   { "bpm", "u8", unless = 0 }, { "bpm", "u16", when = 0 },
---   { "contact", bit = 1, when = 2 },
---   { "rr", codec.list(codec.scaled("u16", 1 / 1024, "s")), when = 4 },
--- })
--- ```
---@param name string  For messages.
---@param fields codec.field[]
---@return codec.codec
function codec.record(name, fields) end

--- What is written to control points: a byte that says which operation, and what it takes. In Lua
--- `{ opcode = "set_speed", speed = 8.5 }`; one that is not in the list is `{ opcode = 0x77, parameter = bytes }`.
--- A field that is "opcode" is the name of another operation.
---
--- ```lua
--- local Control = codec.command("control", { [0] = { "reset" }, [2] = { "set_speed", { "speed", "u16" } } })
--- ```
---@param name string  For messages.
---@param operations table<integer, table>  A name, then the fields, as in a record.
---@return codec.codec
function codec.command(name, operations) end

return codec
