#!/usr/bin/env blescript
-- Many devices are asked by a write to one characteristic and answer by a notification of another. This one asks three
-- times and waits for the answer that belongs to each question: the one with the same first byte.
-- write-and-wait.lua ADDRESS WRITE_TO REPLY_ON
local ble = require "ble"

local address, write_to, reply_on = arg[1], arg[2], arg[3]
if not reply_on then
  io.stderr:write("usage: write-and-wait.lua ADDRESS WRITE_TO REPLY_ON\n")
  os.exit(2)
end

local device <close> = ble.connect(address)

for number = 1, 3 do
  local question = string.char(number, 0xAA)
  -- `request` subscribes before it writes, so not even the fastest answer is missed.
  local answer = device:request(write_to, question, {
    reply_on = reply_on,
    match = function(bytes) return bytes:byte(1) == number end,
    timeout = 5,
    as = "hex",
  })
  print(string.format("question %d: answer %s", number, answer))
end
