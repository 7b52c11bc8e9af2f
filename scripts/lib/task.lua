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
  if not (value >= 0) then
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

-- Groups: children that end with their parent's call -----------------------------------------------------------------

local Group = {}
Group.__index = Group

function Group:__close()
  for i = #self.children, 1, -1 do self.children[i]:cancel() end
end

local function new_group()
  return setmetatable({ children = {}, ended = {}, results = {}, place = native.park() }, Group)
end

function Group:start(index, fn, ...)
  self.children[#self.children + 1] = native.spawn(function(...)
    local _ <close> = closing(function()
      self.ended[#self.ended + 1] = index
      self.place:wake()
    end)
    self.results[index] = table.pack(pcall(fn, ...))
  end, "watched", ...)
end

-- The results of a child that has ended; raises its error.
function Group:take(index)
  local result = self.results[index]
  if not result then native.raise { code = "cancelled", message = "cancelled" } end
  if not result[1] then error(result[2], 0) end
  return table.unpack(result, 2, result.n)
end

-- Waits for one more child to end than before; gives its index.
function Group:next(count)
  while #self.ended < count do self.place:wait() end
  return self.ended[count]
end

function task.all(list, fn)
  check(list, "table", 1, "all")
  if fn ~= nil then check(fn, "function", 2, "all") end
  local group <close> = new_group()
  local count = #list
  for i = 1, count do
    if fn then
      group:start(i, fn, list[i], i)
    else
      check(list[i], "function", i, "all")
      group:start(i, list[i])
    end
  end
  local results = {}
  for i = 1, count do
    local index = group:next(i)
    results[index] = group:take(index)
  end
  return results
end

function task.race(list)
  check(list, "table", 1, "race")
  if #list == 0 then error("bad argument #1 to 'task.race' (at least one function expected)", 2) end
  local group <close> = new_group()
  for i = 1, #list do
    check(list[i], "function", i, "race")
    group:start(i, list[i])
  end
  return group:take(group:next(1))
end

function task.timeout(seconds, fn, ...)
  check_seconds(seconds, "timeout")
  check(fn, "function", 2, "timeout")
  local group <close> = new_group()
  group:start(1, fn, ...)
  group:start(2, native.sleep, seconds)
  if group:next(1) == 2 then
    native.raise { code = "timeout", message = ("timed out after %g s"):format(seconds), op = "task.timeout" }
  end
  return group:take(1)
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
  if not (size >= 0) then error("bad argument #1 to 'task.channel' (size must not be negative)", 2) end
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
  local sender = table.remove(self.senders, 1)
  if not sender then return end
  sender.taken = true
  sender.place:wake()
  put(self, sender.value)
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
