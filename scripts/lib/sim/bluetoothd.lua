--- The life of bluetoothd.
local check = require "sim.check"

local bluetoothd = {}
for _, verb in ipairs { "start", "stop", "restart", "crash" } do
  bluetoothd[verb] = function() check.ask("bluetoothd", verb) end
end

return bluetoothd
