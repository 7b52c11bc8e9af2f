--- Runs codecs. Whatever goes wrong in them comes out as an error with a code.

local complaint = require "codec.complaint"
local errors = require "ble.error"

local run = {}

--- The results of a protected call; errors of the user's own get a code.
local function settle(code, good, ...)
  if good then return ... end
  local problem = ...
  if errors.is(problem) then error(problem, 0) end
  return errors.raise { code = code, message = tostring(problem) }
end

--- Decodes all of `bytes`. Gives several values where the codec does.
function run.decode(chosen, bytes)
  if not chosen.decode then complaint.refuse("decode", "%s can only be encoded", chosen.name or "this codec") end
  return settle("decode", pcall(chosen.decode, bytes))
end

function run.encode(chosen, value)
  if not chosen.encode then complaint.refuse("encode", "%s can only be decoded", chosen.name or "this codec") end
  local bytes = settle("encode", pcall(chosen.encode, value))
  if type(bytes) ~= "string" then
    complaint.refuse("encode", "the codec gave %s, not bytes", complaint.describe(bytes))
  end
  return bytes
end

--- Raises a problem again, with where it happened before its message.
function run.raise_inside(field, code, problem)
  if not errors.is(problem) then problem = errors.new { code = code, message = tostring(problem) } end
  problem.message = field .. ": " .. problem.message
  error(problem, 0)
end

--- The results of a protected call, or its error with where it happened.
function run.inside(field, code, good, ...)
  if good then return ... end
  return run.raise_inside(field, code, (...))
end

--- What a codec gave, as one value: several become a list.
function run.one(...)
  if select("#", ...) > 1 then return { ... } end
  return (...)
end

return run
