--- Reads JSON: json(text) gives tables, strings, numbers and booleans; null is json.null. Trusts its input to be JSON.

local json = { null = setmetatable({}, { __tostring = function() return "null" end }) }

local value -- of any kind; defined below

local escapes = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }

local function fail(text, at)
  error(("no JSON at %d: %s"):format(at, text:sub(at, at + 20)), 0)
end

local function after_blanks(text, at)
  return text:find("%S", at) or #text + 1
end

--- UTF-16 as the escapes of JSON have it.
local function unescaped(body)
  body = body:gsub("\\u([dD][89abAB]%x%x)\\u([dD][c-fC-F]%x%x)", function(high, low)
    return utf8.char(0x10000 + ((tonumber(high, 16) & 0x3ff) << 10) + (tonumber(low, 16) & 0x3ff))
  end)
  body = body:gsub("\\u(%x%x%x%x)", function(digits) return utf8.char(tonumber(digits, 16)) end)
  return (body:gsub("\\(.)", function(letter) return escapes[letter] or letter end))
end

local function text_value(text, at)
  local stop = at
  repeat
    stop = text:find('["\\]', stop + 1) or fail(text, at)
    local escaped = text:byte(stop) == 0x5c
    if escaped then stop = stop + 1 end
  until not escaped
  return unescaped(text:sub(at + 1, stop - 1)), stop + 1
end

local function list(text, at)
  local items = {}
  at = after_blanks(text, at + 1)
  while text:sub(at, at) ~= "]" do
    items[#items + 1], at = value(text, at)
    at = after_blanks(text, at)
    if text:sub(at, at) == "," then at = after_blanks(text, at + 1) end
  end
  return items, at + 1
end

local function object(text, at)
  local fields = {}
  at = after_blanks(text, at + 1)
  while text:sub(at, at) ~= "}" do
    local name
    name, at = text_value(text, at)
    at = after_blanks(text, at)
    if text:sub(at, at) ~= ":" then fail(text, at) end
    fields[name], at = value(text, after_blanks(text, at + 1))
    at = after_blanks(text, at)
    if text:sub(at, at) == "," then at = after_blanks(text, at + 1) end
  end
  return fields, at + 1
end

local words = { ["true"] = true, ["false"] = false, null = json.null }

function value(text, at)
  local letter = text:sub(at, at)
  if letter == "{" then return object(text, at) end
  if letter == "[" then return list(text, at) end
  if letter == '"' then return text_value(text, at) end
  local word = text:match("^%a+", at)
  if word and words[word] ~= nil then return words[word], at + #word end
  local number = text:match("^-?[%d.eE+-]+", at)
  return tonumber(number) or fail(text, at), at + #(number or "")
end

return setmetatable(json, {
  __call = function(_, text) return (value(text, after_blanks(text, 1))) end,
})
