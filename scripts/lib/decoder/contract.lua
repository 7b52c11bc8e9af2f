--- What a decoder file has to return. A breach is an error that names the place: "match[2].company: …".

local codec = require "codec"
local uuid = require "codec.uuid"

local contract = {}

local function refuse(place, wanted, value)
  local got = type(value) == "string" and ("%q"):format(value) or tostring(value)
  error(("%s: %s expected, got %s"):format(place, wanted, got), 0)
end

local function check(value, kind, place)
  if type(value) ~= kind then refuse(place, kind, value) end
  return value
end

local function text(value, place)
  if type(value) ~= "string" or value == "" then refuse(place, "text", value) end
  return value
end

local function integer(value, first, last, place)
  if math.type(value) ~= "integer" or value < first or value > last then
    refuse(place, ("an integer of %d to %d"):format(first, last), value)
  end
  return value
end

local function set(words)
  local known = {}
  for _, word in ipairs(words) do known[word] = true end
  return known
end

--- Refuses what nobody would look at: a misspelt field.
local function only(value, known, place)
  check(value, "table", place)
  for key in pairs(value) do
    if not known[key] then error(("%s: unknown field '%s'"):format(place, tostring(key)), 0) end
  end
  return value
end

--- A list that has at least one item; each goes through `convert(item, place)`.
local function list(value, place, convert)
  check(value, "table", place)
  if #value == 0 then error(place .. ": it is empty", 0) end
  local result = {}
  for key, item in pairs(value) do
    if math.type(key) ~= "integer" or key < 1 or key > #value then error(place .. ": a list expected", 0) end
    result[key] = convert(item, ("%s[%d]"):format(place, key))
  end
  return result
end

local function one_or_more(value, place, convert)
  return type(value) == "table" and list(value, place, convert) or { convert(value, place) }
end

local function short_uuid(value, place)
  return uuid.shortest(value) or refuse(place, "a UUID", value)
end

-- meta

local meta_fields = set { "name", "version", "license", "author", "spec", "models" }

local function meta(value)
  only(value, meta_fields, "meta")
  text(value.name, "meta.name")
  text(value.version, "meta.version")
  for _, field in ipairs { "license", "author" } do
    if value[field] ~= nil then text(value[field], "meta." .. field) end
  end
  list(value.models, "meta.models", text)
  if value.spec ~= nil then list(value.spec, "meta.spec", text) end
  return value
end

-- match

local rule_fields = set {
  "id", "company", "service_data", "service", "name_prefix", "first", "len", "address", "model",
}

local function company(value, place) return integer(value, 0, 0xffff, place) end
local function length(value, place) return integer(value, 0, 0xffff, place) end

--- A byte, or false where any byte will do.
local function first_byte(value, place)
  return value ~= false and integer(value, 0, 0xff, place)
end

local function address_prefix(value, place)
  local upper = text(value, place):upper()
  local good = #upper <= 17
  for i = 1, #upper do
    local wanted = i % 3 == 0 and ":" or "0123456789ABCDEF"
    good = good and string.find(wanted, upper:sub(i, i), 1, true) ~= nil
  end
  return good and upper or refuse(place, 'the beginning of "AA:BB:CC:DD:EE:FF"', value)
end

local function optional(rule, field, place, convert)
  local value = rule[field]
  if value == nil then return nil end
  return convert(value, place .. "." .. field)
end

local function rule(value, place)
  only(value, rule_fields, place)
  local result = {
    id = text(value.id, place .. ".id"),
    model = optional(value, "model", place, text),
    company = optional(value, "company", place, function(v, at) return one_or_more(v, at, company) end),
    service_data = optional(value, "service_data", place, short_uuid),
    service = optional(value, "service", place, short_uuid),
    name_prefix = optional(value, "name_prefix", place, text),
    first = optional(value, "first", place, function(v, at) return list(v, at, first_byte) end),
    len = optional(value, "len", place, function(v, at) return one_or_more(v, at, length) end),
    address = optional(value, "address", place, address_prefix),
  }
  if result.company and result.service_data then error(place .. ": company or service_data, not both", 0) end
  if not (result.company or result.service_data or result.service or result.name_prefix) then
    error(place .. ": one of company, service_data, service, name_prefix expected", 0)
  end
  return result
end

local function match(value)
  local rules = list(value, "match", rule)
  local seen = {}
  for i, one in ipairs(rules) do
    if seen[one.id] then error(("match[%d].id: there are two rules '%s'"):format(i, one.id), 0) end
    seen[one.id] = true
  end
  return rules
end

-- fields

local field_fields = set { "unit", "class", "kind", "digits", "bits", "type" }
local types = set { "number", "string", "boolean" }
local reserved = set { "model", "decoder", "rule" }

local function fields(value)
  check(value, "table", "fields")
  for name, field in pairs(value) do
    local place = "fields." .. tostring(name)
    text(name, place)
    if reserved[name] then error(place .. ": the host adds a field of that name", 0) end
    only(field, field_fields, place)
    for _, word in ipairs { "unit", "class", "kind" } do
      if field[word] ~= nil then text(field[word], place .. "." .. word) end
    end
    if field.digits ~= nil then integer(field.digits, 0, 9, place .. ".digits") end
    if field.bits ~= nil then integer(field.bits, 1, 64, place .. ".bits") end
    if field.type ~= nil and not types[field.type] then
      refuse(place .. ".type", '"number", "string" or "boolean"', field.type)
    end
  end
  if next(value) == nil then error("fields: it is empty", 0) end
  return value
end

-- key

local key_fields = set { "name", "bytes", "per" }

local function key(value)
  if value == nil then return nil end
  only(value, key_fields, "key")
  text(value.name, "key.name")
  integer(value.bytes, 1, 64, "key.bytes")
  if value.per ~= "address" then refuse("key.per", '"address"', value.per) end
  return value
end

-- tests

local test_fields = set { "manufacturer_data", "service_data", "services", "name", "address", "key", "expect", "error" }
local reasons = set { "key_required", "decrypt_failed", "nobody" }

local function bytes(value, place)
  local good, result = pcall(codec.encode, "hex", value)
  return good and result or refuse(place, "hexadecimal digits", value)
end

local function data(value, place, convert)
  if value == nil then return {} end
  local result = {}
  for id, payload in pairs(check(value, "table", place)) do
    local at = ("%s[%s]"):format(place, tostring(id))
    result[convert(id, at)] = bytes(payload, at)
  end
  return result
end

--- A test as an advertisement, and what is expected of it.
local function vector(value, place)
  only(value, test_fields, place)
  if (value.expect == nil) == (value.error == nil) then error(place .. ": expect or error expected", 0) end
  if value.error ~= nil and not reasons[value.error] then
    refuse(place .. ".error", '"key_required", "decrypt_failed" or "nobody"', value.error)
  end
  return {
    adv = {
      address = value.address and text(value.address, place .. ".address") or "00:00:00:00:00:00",
      name = value.name and text(value.name, place .. ".name"),
      services = value.services and list(value.services, place .. ".services", short_uuid) or {},
      manufacturer_data = data(value.manufacturer_data, place .. ".manufacturer_data", company),
      service_data = data(value.service_data, place .. ".service_data", short_uuid),
    },
    key = value.key and bytes(value.key, place .. ".key"),
    expect = value.expect and check(value.expect, "table", place .. ".expect"),
    error = value.error,
  }
end

local parts = set { "meta", "match", "fields", "key", "decode", "tests" }

--- Checks what a file returned, and gives it in one form.
function contract.decoder(value)
  only(value, parts, "the decoder")
  return {
    meta = meta(value.meta),
    match = match(value.match),
    fields = fields(value.fields),
    key = key(value.key),
    decode = check(value.decode, "function", "decode"),
    tests = list(value.tests, "tests", vector),
  }
end

--- Checks what `decode` returned: a table of declared fields, or why there is none.
function contract.reading(decoder, result, reason)
  if result == nil then
    if reason ~= nil and reason ~= "key_required" and reason ~= "decrypt_failed" then
      refuse("decode: why it returned nil", '"key_required" or "decrypt_failed"', reason)
    end
    return nil, reason
  end
  check(result, "table", "decode: its result")
  for name, value in pairs(result) do
    local field = decoder.fields[name]
    if not field and name ~= "model" then
      error(("decode: '%s' is not among the fields"):format(tostring(name)), 0)
    end
    local place = "decode: " .. name
    check(value, field and field.type or field and "number" or "string", place)
    if value ~= value or value == math.huge or value == -math.huge then refuse(place, "a finite number", value) end
  end
  return result
end

return contract
