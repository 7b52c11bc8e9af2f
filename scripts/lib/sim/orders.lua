--- Orders: lines by which a test tells the world what to do.
local adapter = require "sim.adapter"
local bluetoothd = require "sim.bluetoothd"
local check = require "sim.check"
local host = require "sim.host"
local peripheral = require "sim.peripheral"

local custom

--- `fn(line)` is asked first; unless it returns true, the order is one of the usual ones.
local function order(fn) custom = check.need("sim.order", fn, "function", "a function") end

local function hex(text)
  text = text or ""
  if text:find "[^%x]" or #text % 2 == 1 then error("bytes in hexadecimal expected, got " .. check.shown(text), 0) end
  return (text:gsub("%x%x", function(digits) return string.char(tonumber(digits, 16)) end))
end

local function known(who, reference)
  local found = who:characteristic(reference)
  if not found then error("there is no characteristic " .. check.shown(reference), 0) end
  return found
end

local verbs = {
  notify = function(who, reference, bytes) known(who, reference):notify(hex(bytes)) end,
  indicate = function(who, reference, bytes) known(who, reference):indicate(hex(bytes)) end,
  set = function(who, reference, bytes) known(who, reference).value = hex(bytes) end,
  manufacturer = function(who, company, bytes)
    local number = tonumber(company, 16) or error("a company's number in hexadecimal expected", 0)
    who:add_manufacturer_data(number, hex(bytes))
  end,
}
for verb in pairs(check.set "disconnect lose hide show mute unmute") do
  verbs[verb] = function(who) who[verb](who) end
end

host.on_order(function(line)
  if custom and custom(line) then return end
  local words = {}
  for word in line:gmatch "%S+" do words[#words + 1] = word end
  local who, verb = words[1], words[2]
  if not verb then error("WHO VERB [ARGUMENT …] expected", 0) end
  if who == "bluetoothd" and bluetoothd[verb] then return bluetoothd[verb]() end
  if adapter.all[who] then
    if verb == "plug" or verb == "unplug" then return adapter.all[who][verb](adapter.all[who]) end
    if verb == "power" then return adapter.all[who]:power(words[3] == "on") end
  elseif peripheral.all[who] and verbs[verb] then
    return verbs[verb](peripheral.all[who], table.unpack(words, 3))
  end
  error(string.format("nobody here knows the order '%s'", line), 0)
end)

return { set = order }
