--- Names of what is in the world "lab" (Tests/RealBlueZ/README.md).
local lab = {
  pulse = "C8:3F:26:00:00:01",
  lab = "C8:3F:26:00:00:02",
  lock = "C8:3F:26:00:00:03",
  ghost = "C8:3F:26:00:00:05",
  shy = "C8:3F:26:00:00:06",
  hush = "C8:3F:26:00:00:07",
  ibeacon = "D0:00:00:00:00:01",
  eddystone = "D0:00:00:00:00:02",
  tag = "D0:00:00:00:00:03",
  public = "00:1A:7D:00:00:04",
  flagless = "D0:00:00:00:00:05",
  -- Nobody has this one.
  nobody = "C8:3F:26:00:00:99",
}

--- The whole UUID of one of lab's numbers.
local function uuid(number) return string.format("7e57%04x-b1e5-4c0d-9a00-0123456789ab", number) end

lab.service = uuid(0x00)
lab.included = uuid(0x01)
lab.read = uuid(0x02)
lab.command = uuid(0x03)
lab.long = uuid(0x04)
lab.notify = uuid(0x05)
lab.indicate = uuid(0x06)
lab.both = uuid(0x07)
lab.fault = uuid(0x08)
lab.slow = uuid(0x09)
lab.silent = uuid(0x0a)
lab.echo = uuid(0x0b)
lab.secret = uuid(0x0c)
lab.twin = uuid(0x0d)
lab.reliable = uuid(0x0e)
lab.deaf = uuid(0x0f)
lab.writeonly = uuid(0x10)
lab.readonly = uuid(0x11)
lab.tag_descriptor = uuid(0x12)
lab.extra = uuid(0x13)

--- A value for a `<close>` variable that calls `fn`.
function lab.finally(fn) return setmetatable({}, { __close = fn }) end

return lab
