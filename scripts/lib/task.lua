-- Tasks: what can be made of spawning, sleeping and parking. Reference: scripts/types/task.lua.

local native = require "task.native"

local task = {
  sleep = native.sleep,
  now = native.now,
  current = native.current,
}

local function check(value, expected, number, name)
  if type(value) ~= expected then
    error(("bad argument #%d to 'task.%s' (%s expected, got %s)"):format(number, name, expected, type(value)), 3)
  end
end

local function check_seconds(value, name)
  check(value, "number", 1, name)
  if value < 0 or value ~= value then
    error(("bad argument #1 to 'task.%s' (seconds must not be negative or NaN)"):format(name), 3)
  end
end

-- A value for a `<close>` variable.
local function closing(fn)
  return setmetatable({}, { __close = fn })
end

function task.spawn(fn, ...)
  check(fn, "function", 1, "spawn")
  return native.spawn(fn, "foreground", ...)
end

function task.background(fn, ...)
  check(fn, "function", 1, "background")
  return native.spawn(fn, "background", ...)
end

-- Children that end with their parent's call ------------------------------------------------------------------------

function task.all(list, fn)
  check(list, "table", 1, "all")
  if fn ~= nil then check(fn, "function", 2, "all") end
  local group <close> = native.group()
  local count = #list
  for i = 1, count do
    if fn then group:start(fn, list[i], i) else group:start(list[i]) end
  end
  local results = {}
  for _ = 1, count do
    local index, result = group:next()
    results[index] = result
  end
  return results
end

local function but_first(_, ...) return ... end

function task.race(list)
  check(list, "table", 1, "race")
  if #list == 0 then error("bad argument #1 to 'task.race' (at least one function expected)", 2) end
  local group <close> = native.group()
  for i = 1, #list do group:start(list[i]) end
  return but_first(group:next())
end

local function in_time(seconds, index, ...)
  if index == 1 then return ... end
  native.raise { code = "timeout", message = ("timed out after %g s"):format(seconds), op = "task.timeout" }
end

function task.timeout(seconds, fn, ...)
  check_seconds(seconds, "timeout")
  check(fn, "function", 2, "timeout")
  local group <close> = native.group()
  group:start(fn, ...)
  group:start(native.sleep, seconds)
  return in_time(seconds, group:next())
end

-- Times are counted from the first call, so that they don't drift. What a slow `fn` misses is left out.
function task.every(seconds, fn, ...)
  check_seconds(seconds, "every")
  if seconds == 0 then error("bad argument #1 to 'task.every' (more than 0 seconds expected)", 2) end
  check(fn, "function", 2, "every")
  return native.spawn(function(...)
    local due = native.now()
    while true do
      due = due + seconds
      local now = native.now()
      if due < now then due = due + math.ceil((now - due) / seconds) * seconds end
      native.sleep(math.max(0, due - now))
      fn(...)
    end
  end, "foreground", ...)
end

-- Channels -----------------------------------------------------------------------------------------------------------

local Channel = {}
Channel.__index = Channel
Channel.__name = "channel"

local closed = "the channel is closed"

function task.channel(size)
  size = size == nil and 0 or size
  check(size, "number", 1, "channel")
  if size < 0 or size ~= size then error("bad argument #1 to 'task.channel' (size must not be negative)", 2) end
  -- `senders` wait with their values, `receivers` are parked; the buffer goes from `first` to `last`.
  return setmetatable({
    size = size, buffer = {}, first = 1, last = 0, senders = {}, receivers = {}, is_closed = false,
  }, Channel)
end

local function remove(list, item)
  for i = 1, #list do
    if list[i] == item then return table.remove(list, i) end
  end
end

local function put(self, value)
  self.last = self.last + 1
  self.buffer[self.last] = value
end

local function wake_receiver(self)
  local place = table.remove(self.receivers, 1)
  if place then place:wake() end
  return place
end

function Channel:send(value)
  if value == nil then error("bad argument #1 to 'send' (value expected, got nil)", 2) end
  if self.is_closed then error(closed, 2) end
  if #self.receivers > 0 or self.last - self.first + 1 < self.size then
    put(self, value)
    wake_receiver(self)
    return
  end
  local sender = { value = value, place = native.park() }
  table.insert(self.senders, sender)
  local _ <close> = closing(function() remove(self.senders, sender) end)
  while not sender.taken do
    if self.is_closed then error(closed, 2) end
    sender.place:wait()
  end
end

-- A sender's value takes the place that became free.
local function admit(self)
  local sender = self.senders[1]
  if not sender then return end
  put(self, sender.value)
  table.remove(self.senders, 1)
  sender.taken = true
  sender.place:wake()
end

local function take(self)
  local value = self.buffer[self.first]
  self.buffer[self.first] = nil
  self.first = self.first + 1
  return value
end

function Channel:receive()
  while true do
    if self.first > self.last and not self.is_closed then admit(self) end
    if self.first <= self.last then
      local value = take(self)
      if self.size > 0 and not self.is_closed and self.last - self.first + 1 < self.size then admit(self) end
      return value
    end
    if self.is_closed then return nil end
    local place, woken = native.park(), false
    table.insert(self.receivers, place)
    local _ <close> = closing(function()
      -- Cancelled between the wake and the value: somebody else's turn.
      if not remove(self.receivers, place) and not woken and self.first <= self.last then wake_receiver(self) end
    end)
    place:wait()
    woken = true
  end
end

Channel.__call = Channel.receive

function Channel:close()
  if self.is_closed then return end
  self.is_closed = true
  while wake_receiver(self) do end
  for _, sender in ipairs(self.senders) do sender.place:wake() end
end

return task
