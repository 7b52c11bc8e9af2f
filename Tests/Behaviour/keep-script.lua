-- `ble.keep`: how long it tries, how it ends, what is left.
local ble = require "ble"
local keeping = require "support.keeping"
local lab = require "support.lab"
local task = require "task"
local test = require "test"

local world = { world = "lab" }
local hears, ends, listen = keeping.hears, keeping.ends, keeping.listen
local quick = keeping.quick
local long = { world = "lab", limit = 3600 }

test("the device is out of range for minutes: the pauses grow, up to a limit", long, function(t)
  local log = listen(lab.lab, { timeout = 2, backoff = { first = 0.5, max = 4, spread = 0.1 } })
  hears(t, log, 1)
  t.order "lab lose"
  t.order "lab hide"
  task.sleep(t.place == "real" and 25 or 300)
  t.equal(log.connections, 1)
  t.ok(#log.errors >= 5, "it goes on trying")
  for i, wanted in ipairs { 0.5, 1, 2, 4, 4 } do
    t.near(log.errors[i][2], wanted, wanted * 0.1 + 0.001, "pause " .. i)
  end
  t.equal(log.errors[1][1], "disconnected")
  t.order "lab show"
  hears(t, log, 2, 20)
  ends(t, log)
end)

test("a link that is lost before anybody looks is made again", world, function(t)
  local connect, lost = ble.connect, false
  ble.connect = function(...)
    local dev = connect(...)
    if not lost then
      lost = true
      t.order "lab disconnect"
      t.eventually(function() return not dev.connected end, 5)
    end
    return dev
  end
  local codes = {}
  local options = { backoff = quick, on_retry = function(err) codes[#codes + 1] = err.code end }
  t.equal(ble.keep(lab.lab, options, function(dev) return dev:read(lab.read) end):wait(), "hello")
  t.equal(codes, { "disconnected" })
end)

test("`fn` returns: the link goes down, and the results are those of the task", world, function(t)
  local kept = ble.keep(lab.lab, function(dev) return dev:read(lab.read), dev end)
  local value, dev = kept:wait()
  t.equal(value, "hello")
  t.equal(kept.status, "done")
  t.eventually(function() return not dev.connected end, 5)
  task.sleep(5)
  t.equal(dev.connected, false)
end)

test("`fn` disconnects and returns: that is the end, too", world, function(t)
  local count = 0
  local kept = ble.keep(lab.lab, { backoff = quick }, function(dev)
    count = count + 1
    dev:disconnect()
    return "done"
  end)
  t.equal(kept:wait(), "done")
  t.equal(count, 1)
end)

test("an error that is not about the link is raised, and the link goes down", world, function(t)
  local count, device = 0, nil
  local function failing(fn)
    return ble.keep(lab.lab, { backoff = quick }, function(dev)
      count, device = count + 1, dev
      fn(dev)
    end)
  end
  local err = t.raises(function() failing(function() error("mine", 0) end):wait() end)
  t.equal(err, "mine")
  t.eventually(function() return not device.connected end, 5)
  t.raises("not_found", function() failing(function(dev) dev:read "2a19" end):wait() end)
  t.raises("att", function() failing(function(dev) dev:write(lab.fault, "\x80\1") end):wait() end)
  t.equal(count, 3)
end)

test("an operation that times out has the link made again", world, function(t)
  local count = 0
  local kept = ble.keep(lab.lab, { backoff = quick }, function(dev)
    count = count + 1
    if count == 1 then dev:read(lab.silent, { timeout = 1 }) end
    return dev:read(lab.read)
  end)
  t.equal(kept:wait(), "hello")
  t.equal(count, 2)
end)

test("`fn` that waits for something else is cancelled when the link is lost", world, function(t)
  local closed, count = 0, 0
  local kept = ble.keep(lab.pulse, { backoff = quick }, function()
    local _ <close> = lab.finally(function() closed = closed + 1 end)
    count = count + 1
    task.sleep(1000)
  end)
  for number = 1, 2 do
    t.eventually(function() return count == number end, 15)
    t.equal(closed, number - 1)
    t.order "pulse disconnect"
  end
  t.eventually(function() return count == 3 end, 15)
  kept:cancel()
  t.equal(closed, 3, "a cancel runs what is to be closed")
end)

test("it can be cancelled while it connects, and while it waits for a radio", world, function(t)
  local connecting = ble.keep(lab.nobody, function() end)
  t.eventually(function() return ble.adapter().discovering end, 5)
  connecting:cancel()
  t.eventually(function() return not ble.adapter().discovering end, 5)

  local adapter = ble.adapter "hci1"
  local _ <close> = lab.finally(function() adapter:power(true) end)
  adapter:power(false)
  local codes = {}
  local waiting = ble.keep(lab.lab, {
    adapter = "hci1", backoff = quick, on_retry = function(err) codes[#codes + 1] = err.code end,
  }, function() end)
  t.eventually(function() return codes[1] == "adapter_off" end, 3)
  task.sleep(1)
  waiting:cancel()
  adapter:power(true)
  task.sleep(3)
  t.equal(ble.device(lab.lab, { adapter = "hci1" }).connected, false)
end)

test("nothing is left behind", long, function(t)
  local function round()
    local log = listen(lab.lab)
    hears(t, log, 1)
    t.order "lab disconnect"
    hears(t, log, 2)
    ends(t, log)
    task.sleep(1)
  end
  local simulated = t.place == "simulator"
  for _ = 1, simulated and 20 or 1 do round() end
  local before = t.holdings()
  for _ = 1, simulated and 60 or 2 do round() end
  local after = t.holdings()
  for _, what in ipairs { "descriptors", "match_rules", "pending_replies", "devices" } do
    t.equal(after[what], before[what], what)
  end
  if simulated then
    t.ok(after.blocks - before.blocks < 60, "blocks: " .. before.blocks .. ", then " .. after.blocks)
  end
end)
