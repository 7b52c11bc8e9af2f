--- Adapters.
local check = require "sim.check"
local host = require "sim.host"

local Adapter = {}
Adapter.__index = Adapter

function Adapter:power(on) check.ask("power", self.name, check.need("power", on, "boolean")) end
function Adapter:unplug() check.ask("plug", self.name, false) end
function Adapter:plug() check.ask("plug", self.name, true) end

local adapters = {}

local function adapter(options)
  check.need("sim.adapter", options, "table", "a table")
  check.allow("sim.adapter", options, check.set "name address powered plugged")
  local name = check.optional("name", options.name, "string") or "hci" .. #adapters
  if not name:match "^hci%d+$" then check.complain("name: 'hci' and a number expected, got %s", check.shown(name)) end
  local address = check.address("address", options.address or string.format("AA:BB:CC:00:00:%02X", #adapters + 1))
  check.ask("adapter", name, address, options.powered ~= false, options.plugged ~= false)
  local made = setmetatable({ name = name }, Adapter)
  adapters[#adapters + 1] = made
  adapters[name] = made
  return made
end

--- `sim.adapter{ … }` makes one; `sim.adapter:power(false)` and the like are about the first.
local callable = setmetatable({}, {
  __call = function(_, options) return adapter(options) end,
  __index = function(_, name)
    local first = adapters[1] or adapter {}
    local method = Adapter[name]
    if not method then return first[name] end
    return function(_, ...) return method(first, ...) end
  end,
})

--- A world that made none has hci0.
host.on_ready(function()
  if not adapters[1] then adapter {} end
end)

return { callable = callable, all = adapters }
