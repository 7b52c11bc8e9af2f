---@meta ble.error

--- What every failed call raises. It prints as its message, and the advice below it.
---@class Error
---@field code ErrorCode
---@field message string
---@field advice? string     What one might do about it.
---@field op? string         The call: "read", "connect" …
---@field device? string     The address.
---@field ref? string        The characteristic, as it was asked for.
---@field stage? string      How far the call had come.
---@field att? integer       The device's own error number.
---@field dbus? string       BlueZ's name of the error.
---@field reason? string     Why a connection ended.
---@field retryable? boolean Whether the same call may succeed later.

---@alias ErrorCode
---| "timeout" | "disconnected" | "connect_failed" | "adapter_off" | "no_adapter" | "unavailable" | "access_denied"
---| "not_found" | "ambiguous" | "unsupported" | "att" | "pairing_failed" | "not_authorized" | "busy" | "cancelled"
---| "invalid" | "decode" | "encode" | "limit"

local errors = {}

--- The metatable of all errors.
errors.metatable = {}

--- Makes an error of its fields, of which `code` and `message` are always there.
---@param fields table
---@return Error
function errors.new(fields) end

--- Raises an error made of `fields`.
---@param fields table
function errors.raise(fields) end

--- Whether something caught is one of these errors.
---@param value any
---@return boolean
function errors.is(value) end

return errors
