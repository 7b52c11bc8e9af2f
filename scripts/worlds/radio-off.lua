--- The heart rate sensor's world, with the adapter switched off.
local folder = debug.getinfo(1, "S").source:match "^@(.*)/" or "."
assert(loadfile(folder .. "/heart-rate.lua"))("radio off")
