-- Writing, and waiting for the answer that belongs to it.
local ble = require "ble"
local lab = require "support.lab"
local task = require "task"
local test = require "test"

local world = { world = "lab" }

test("the answer comes back though it is notified before the write is answered", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  t.equal(dev:request(lab.echo, "\1\2", { reply_on = lab.notify }), "\1\2")
  t.equal(dev:request(lab.echo, "\1\2", { reply_on = lab.notify, response = false }), "\1\2")
  t.equal(dev:request(lab.echo, "\1\2", { reply_on = lab.notify, as = "u16be" }), 0x0102)
  t.equal(dev:request(lab.echo, "", { reply_on = lab.notify }), "")
end)

test("match picks the answer out of what else is notified", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local seen = {}
  local reply = task.spawn(function()
    return dev:request(lab.echo, "\1", {
      reply_on = lab.notify, timeout = 5,
      match = function(value)
        seen[#seen + 1] = value
        return value:byte(1) == 0x81
      end,
    })
  end)
  t.eventually(function() return #seen == 1 end, 3)
  t.order "lab notify notify 02"
  t.order "lab notify notify 81ff"
  t.equal(reply:wait(), "\x81\xff")
  t.equal(seen, { "\1", "\2", "\x81\xff" })
end)

test("no answer: a time-out, and nothing stays subscribed", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local before = task.now()
  local err = t.raises("timeout", function()
    dev:request(lab.echo, "\1", { reply_on = lab.notify, timeout = 1, match = function() return false end })
  end)
  t.near(task.now() - before, 1, 0.5)
  t.equal(err.device, lab.lab)
  t.eventually(function() return not dev:characteristic(lab.notify).notifying end, 3)
end)

test("a write that is refused is the request's error", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local err = t.raises("att", function() dev:request(lab.fault, "\x80\0", { reply_on = lab.notify }) end)
  t.equal(err.att, 0x80)
  t.raises("unsupported", function() dev:request(lab.echo, "\1") end)
end)

test("an error in match is raised, and nothing stays subscribed", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local err = t.raises(function()
    dev:request(lab.echo, "\1", { reply_on = lab.notify, match = function() error("mine", 0) end })
  end)
  t.equal(err, "mine")
  t.eventually(function() return not dev:characteristic(lab.notify).notifying end, 3)
end)

test("the device hangs up before it answers", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  local seen = 0
  local reply = task.spawn(function()
    return t.raises("disconnected", function()
      dev:request(lab.echo, "\1", { reply_on = lab.notify, match = function() seen = seen + 1 return false end })
    end)
  end)
  t.eventually(function() return seen == 1 end, 3)
  t.order "lab disconnect"
  t.equal(reply:wait().device, lab.lab)
end)

test("requests one after the other", world, function(t)
  local dev <close> = ble.connect(lab.lab)
  for i = 1, 10 do
    local bytes = string.pack("<I2", i)
    t.equal(dev:request(lab.echo, bytes, { reply_on = lab.notify }), bytes)
  end
end)
