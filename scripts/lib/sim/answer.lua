--- What a peripheral answers to a request, other than plain bytes.
local check = require "sim.check"

local Answer = {}

local function answer(fields) return setmetatable(fields, Answer) end

--- What an `on_read` or `on_write` returned, as the host wants it: kind, value, delay.
local function told(what, value, is_read)
  if getmetatable(value) == Answer then
    if value.kind == "later" then
      local kind, result = told(what, value.value, is_read)
      return kind, result, value.delay
    end
    return value.kind, value.value, 0
  end
  if is_read then
    if type(value) == "string" then return "value", value, 0 end
    check.complain("%s returned %s; bytes, sim.att, sim.later or sim.never expected", what, check.shown(value))
  end
  if value == nil or value == true then return "value", "", 0 end
  return check.complain("%s returned %s; nothing, sim.att, sim.later or sim.never expected", what, check.shown(value))
end

--- Whether a value is such an answer.
local function is(value, kind) return getmetatable(value) == Answer and value.kind == kind end

return {
  told = told,
  is = is,
  never = answer { kind = "never" },
  att = function(code) return answer { kind = "att", value = check.whole("sim.att", code, 1, 255) } end,
  later = function(delay, value)
    return answer { kind = "later", delay = check.seconds("sim.later", delay), value = value }
  end,
  fail = function(text) return answer { kind = "fail", value = check.need("sim.fail", text, "string") } end,
}
