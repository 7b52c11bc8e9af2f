--- The errors that calls raise: tables that print well.
--
-- A script looks at `code`; `message` is for people, and `advice` says what they might do about it.

local raise = require("task.native").raise

local errors = { raise = raise }

--- Makes an error of its fields, of which `code` and `message` are always there.
function errors.new(fields)
  local _, err = pcall(raise, fields)
  return err
end

local metatable = getmetatable(errors.new { code = "none" })

--- Whether something caught is one of these errors.
function errors.is(value)
  return type(value) == "table" and getmetatable(value) == metatable
end

return errors
