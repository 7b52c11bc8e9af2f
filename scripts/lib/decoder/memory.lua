--- What decoders remember from one advertisement to the next: a small table for each address.

local memory = {}

local ADDRESSES, ENTRIES, BYTES = 512, 32, 64

local Memory = {}
Memory.__index = Memory

--- Two generations: when the young one is full it becomes the old one, and what was not asked for since is forgotten.
function memory.new() return setmetatable({ young = {}, old = {}, count = 0 }, Memory) end

function Memory:of(address)
  local state = self.young[address]
  if state then return state end
  if self.count == ADDRESSES then self.young, self.old, self.count = {}, self.young, 0 end
  state = self.old[address] or {}
  self.young[address] = state
  self.count = self.count + 1
  return state
end

function Memory:forget(address)
  if self.young[address] then self.count = self.count - 1 end
  self.young[address], self.old[address] = nil, nil
end

local function is_small(value)
  local kind = type(value)
  return kind == "number" or kind == "boolean" or kind == "string" and #value <= BYTES
end

--- Refuses a state that has grown too large, and forgets it.
function Memory:check(address)
  local count = 0
  for key, value in next, self:of(address) do
    count = count + 1
    if count > ENTRIES or not (is_small(key) and is_small(value)) then
      self:forget(address)
      error(("ctx.state: at most %d numbers, booleans or strings of %d bytes may be kept"):format(ENTRIES, BYTES), 0)
    end
  end
end

return memory
