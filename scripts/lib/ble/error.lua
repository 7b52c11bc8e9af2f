--- The errors that calls raise: tables that print well.
--
-- A script looks at `code`; `message` is for people, and `advice` says what they might do about it.
-- Errors made by the host get the same metatable.

local errors = {}

local metatable = { __name = "error" }
errors.metatable = metatable

function metatable:__tostring()
  local text = self.message or self.code
  return self.advice and text .. "\n  " .. self.advice or text
end

--- Makes an error of its fields, of which `code` and `message` are always there.
function errors.new(fields)
  return setmetatable(fields, metatable)
end

--- Raises an error made of `fields`.
function errors.raise(fields)
  error(errors.new(fields), 0)
end

--- Whether something caught is one of these errors.
function errors.is(value)
  return getmetatable(value) == metatable
end

return errors
