---@meta racp

--- Stored records of glucose meters and oximeters, by the record access control point: `local racp = require "racp"`.
---
--- ```lua
--- for _, record in ipairs(racp.records(meter, { from = 12 })) do
---   print(record.sequence_number, record.glucose_concentration, record.unit)
--- end
--- ```
---@class racp
local racp = {}

--- Which records: all, one end, or those with numbers from … up to.
---@alias racp.which "all"|"first"|"last"|{ from?: integer, up_to?: integer }

---@class racp.options
---@field measurement? string   What is notified: "2a18".
---@field context? string|false Notified beside it and joined by sequence number: "2a34" for "2a18", else none.
---@field control? string       "2a52"
---@field as? codec.as          Of both: "auto".
---@field filter? integer       What the numbers are: 1, sequence numbers (or the time offset of a glucose monitor).
---@field timeout? number       How long the device may be silent, s: 30. After that it is told to abort.

--- The records in the device's order, each with its `context` if it has one. None is an empty list.
---@param device ble.device
---@param which? racp.which  "all"
---@param options? racp.options
---@return table[]
function racp.records(device, which, options) end

--- How many records there are.
---@param device ble.device
---@param which? racp.which
---@param options? racp.options
---@return integer
function racp.count(device, which, options) end

--- Deletes records.
---@param device ble.device
---@param which? racp.which
---@param options? racp.options
---@return boolean any  Whether there were any.
function racp.delete(device, which, options) end

--- Has the device stop what another task of the script asked for; there the call ends with `cancelled`.
---@param device ble.device
---@param options? racp.options
function racp.abort(device, options) end

return racp
