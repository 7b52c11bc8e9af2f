--- Counters of a few bits, which start again at 0: the revolutions and event times of cycling speed and power sensors.

local counter = {}

--- How far a counter went from `old` to `new`, if it starts again at `modulus` and went round at most once.
function counter.difference(new, old, modulus)
  return (new - old) % modulus
end

--- A function that, given the counter, returns how far it went since the call before; nil at the first.
function counter.new(modulus)
  local last
  return function(value)
    local step = last and counter.difference(value, last, modulus)
    last = value
    return step
  end
end

--- A function that, given revolutions and the time of the last one, returns revolutions a second since the call before:
-- nil at the first, 0 if there were none. `seconds`: when the time starts again, 64 in cycling and 32 for a wheel's
-- time in cycling power.
function counter.rate(revolutions, seconds)
  local turned, passed = counter.new(revolutions), counter.new(seconds)
  return function(count, time)
    local turns, span = turned(count), passed(time)
    if not turns then return nil end
    if turns == 0 then return 0.0 end
    if span == 0 then return nil end -- the time stands still: it went all the way round, or the sensor is wrong
    return turns / span
  end
end

return counter
