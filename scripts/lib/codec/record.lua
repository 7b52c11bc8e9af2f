--- A layout in which flags say which fields there are; it reads like the table in a specification.
--
--   codec.record("heart rate measurement", {
--     { flags = "u8" },
--     { "bpm", "u8", unless = 0 }, { "bpm", "u16", when = 0 },
--     { "contact", bit = 1, when = 2 },
--     { "rr", codec.list("u16"), when = 4 },
--   })
--
-- Fields follow each other in the bytes:
--   { name, as }                         always there
--   { name, as, when = bit }             there if that bit of the flags is set; a list of bits: all of them
--   { name, as, unless = bit }           there if it is clear
--   { name, as, optional = true }        there if bytes are left
--   { as, … }                            without a name: the fields of that codec (a record, bits) are the record's own
--   { flags = as }                       the flags; one a record, before the first field that asks for them
--   { name, bit = n }                    takes no bytes: bit n of the flags, true or false
--   { name, bit = n, names = { [0] = "kg", "lb" } }             … with a name for either
--   { name, bit = n, width = 2, names = … }                     … more bits than one, a number or a name
--
-- To encode, the flags follow from the fields that are given. Fields of one name are alternatives: the first that
-- takes the value is written. All but the last must have a fixed length.

local complaint = require "codec.complaint"
local parts_of = require "codec.record.parts"
local reader = require "codec.record.reader"
local writer = require "codec.record.writer"

return function(name, fields)
  if type(name) ~= "string" then complaint.argument("name", "a string", name) end
  local layout = parts_of(name, fields)
  return {
    name = name,
    size = layout.size,
    parts = layout.parts,
    known = layout.known,
    decode = reader(layout),
    encode = writer(layout),
  }
end
