-- Adapters, and what becomes of scans and links when they go off or away.
local ble = require "ble"
local lab = require "support.lab"
local task = require "task"
local test = require "test"

local world = { world = "lab" }

--- Whatever happens in the test: at its end the adapter is on.
local function on_again(adapter)
  return lab.finally(function() adapter:power(true) end)
end

test("the adapters, in order", world, function(t)
  local names, addresses = {}, {}
  for i, adapter in ipairs(ble.adapters()) do names[i], addresses[i] = adapter.name, adapter.address end
  t.equal(names, { "hci0", "hci1" })
  t.equal(addresses, { "AA:BB:CC:00:00:01", "AA:BB:CC:00:00:02" })
end)

test("an adapter by name, by address, or the first", world, function(t)
  t.equal(ble.adapter().name, "hci0")
  t.equal(ble.adapter("hci1").address, "AA:BB:CC:00:00:02")
  t.equal(ble.adapter("AA:BB:CC:00:00:02").name, "hci1")
  local err = t.raises("no_adapter", function() ble.adapter "hci9" end)
  t.ok(err.message:find "hci0, hci1", err.message)
  t.ok(tostring(ble.adapter()):find "hci0", tostring(ble.adapter()))
end)

test("at rest: on, and ready at once", world, function(t)
  t.equal(ble.state(), "on")
  local before = task.now()
  ble.ready { timeout = 5 }
  t.ok(task.now() - before < 0.5)
  t.equal(ble.adapter().powered, true)
  t.equal(ble.adapter().discovering, false)
end)

test("power off and on: the state and its handler follow", world, function(t)
  local adapter = ble.adapter "hci1"
  t.equal(ble.state(), "on")
  adapter:power(false)
  t.equal(adapter.powered, false)
  t.equal(ble.state(), "on", "hci0 is the one that counts")
  adapter:power(true)
  t.equal(adapter.powered, true)
end)

test("the state is of the adapter in use", world, function(t)
  local adapter, second = ble.adapter "hci0", ble.adapter "hci1"
  local _ <close> = on_again(adapter)
  local _ <close> = on_again(second)
  second:power(false)
  local states = {}
  ble.on("state", function(state) states[#states + 1] = state end)
  adapter:power(false)
  t.equal(ble.state(), "off")
  local err = t.raises("timeout", function() ble.ready { timeout = 0.5 } end)
  t.ok(err.message:find "off", err.message)
  adapter:power(true)
  ble.ready { timeout = 5 }
  t.equal(ble.state(), "on")
  t.eventually(function() return states[#states] == "on" end, 2)
  second:power(true)
  local off = 0
  for _, state in ipairs(states) do off = off + (state == "off" and 1 or 0) end
  t.equal(off, 1)
end)

test("power on when it is on, off when it is off", world, function(t)
  local adapter = ble.adapter "hci1"
  local _ <close> = on_again(adapter)
  adapter:power(true)
  adapter:power(false)
  adapter:power(false)
  t.equal(adapter.powered, false)
  t.raises(function() adapter:power() end)
end)

test("on an adapter that is off nothing works, and the error says what to do", world, function(t)
  local adapter = ble.adapter "hci1"
  local _ <close> = on_again(adapter)
  adapter:power(false)
  local err = t.raises("adapter_off", function() ble.find { adapter = "hci1", timeout = 1 } end)
  t.ok(err.message:find "hci1" and err.advice:find "power", tostring(err))
  err = t.raises("adapter_off", function() ble.connect(lab.pulse, { adapter = "hci1", timeout = 1 }) end)
  t.equal(err.stage, "adapter")
end)

test("B03 power off in a scan ends it; after power on the next one hears", world, function(t)
  local adapter = ble.adapter "hci1"
  local _ <close> = on_again(adapter)
  local scan = task.spawn(function()
    return t.raises("adapter_off", function()
      for _ in ble.scan { adapter = "hci1", timeout = 20 } do task.sleep(0) end
    end)
  end)
  t.eventually(function() return adapter.discovering end, 3)
  adapter:power(false)
  t.equal(scan:wait().op, "scan")
  adapter:power(true)
  t.equal(ble.find({ adapter = "hci1", name = "Pulse", timeout = 5 }).address, lab.pulse)
  t.eventually(function() return not adapter.discovering end, 3)
end)

test("power off in a connection ends it and what runs on it; later it can be made again", world, function(t)
  local adapter = ble.adapter "hci1"
  local _ <close> = on_again(adapter)
  local dev <close> = ble.connect(lab.lab, { adapter = "hci1" })
  local reasons = {}
  dev:on("disconnect", function(reason) reasons[#reasons + 1] = reason.code end)
  local read = task.spawn(function() return t.raises(function() dev:read(lab.silent) end) end)
  local listen = task.spawn(function()
    return t.raises(function() for _ in dev:notifications(lab.notify) do task.sleep(0) end end)
  end)
  task.sleep(0.5)
  adapter:power(false)
  for _, waiting in ipairs { read, listen } do
    local err = waiting:wait()
    t.ok(err.code == "adapter_off" or err.code == "disconnected", tostring(err))
  end
  t.eventually(function() return not dev.connected end, 3)
  t.eventually(function() return #reasons == 1 end, 3)
  adapter:power(true)
  local again <close> = ble.connect(lab.lab, { adapter = "hci1" })
  t.equal(again:read(lab.read), "hello")
  t.equal(#reasons, 1)
end)

test("B16 an adapter pulled out ends scans and links, and works when it is back", world, function(t)
  local dev <close> = ble.connect(lab.lab, { adapter = "hci1" })
  local read = task.spawn(function() return t.raises(function() dev:read(lab.silent) end) end)
  local scan = task.spawn(function()
    return t.raises("adapter_off", function() for _ in ble.scan { adapter = "hci1" } do task.sleep(0) end end)
  end)
  task.sleep(0.5)
  t.order "hci1 unplug"
  scan:wait()
  local err = read:wait()
  t.ok(err.code == "adapter_off" or err.code == "disconnected", tostring(err))
  t.equal(dev.connected, false)
  t.eventually(function() return #ble.adapters() == 1 end, 5)
  t.raises("no_adapter", function() ble.find { adapter = "hci1", timeout = 1 } end)
  t.order "hci1 plug"
  t.eventually(function()
    local adapters = ble.adapters()
    return adapters[2] and adapters[2].powered
  end, 10)
  local again <close> = ble.connect(lab.lab, { adapter = "hci1", timeout = 10 })
  t.equal(again:read(lab.read), "hello")
end)
