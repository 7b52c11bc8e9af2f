--- The Bluetooth SIG's definitions of characteristics (GATT Specification Supplement), for `as = "auto"`:
-- codecs by UUID. A file of sig/ is loaded when one of its characteristics is asked for.
--
-- A value that is longer than its characteristic is refused, though a few devices pad theirs with zeros: the padding
-- of one may be the new field of another, and `as = "u8"` reads neither. Whoever has such a device registers a codec.
-- A value that is "not known" is nil; enumerations are names, and a number without a name stays one.

local counter = require "sig.counter"

local topics = {
  heart = "2a37 2a38 2a39",
  thermometer = "2a1c 2a1d 2a1e 2a21",
  blood_pressure = "2a35 2a36 2a49",
  weight = "2a9b 2a9c 2a9d 2a9e",
  glucose = "2a18 2a34 2a51 2a52",
  cgm = "2aa7 2aa8 2aa9 2aaa 2aab 2aac",
  oximeter = "2a5e 2a5f 2a60",
  cycling = "2a55 2a5b 2a5c 2a5d",
  running = "2a53 2a54",
  power = "2a63 2a64 2a65 2a66",
  fitness = "2acc 2acd 2ace 2acf 2ad0 2ad1 2ad2 2ad3 2ad4 2ad5 2ad6 2ad7 2ad8",
  fitness_control = "2ad9 2ada",
  activity = "2b3d 2b40 2b43",
  location = "2a67 2a68 2a69 2a6a 2aad 2aae 2aaf 2ab0 2ab1 2ab2 2ab3 2ab5",
  time = [[
    2a08 2a09 2a0a 2a0c 2a0d 2a0e 2a0f 2a11 2a12 2a13 2a14 2a16 2a17 2a2b 2aed 2b12 2b13 2b14 2b15
    2b16 2b17 2b8e 2b8f 2b90 2b91 2be6 2bef 2c0e
  ]],
  environment = [[
    2a2c 2a6c 2a6d 2a6e 2a6f 2a70 2a71 2a72 2a73 2a74 2a75 2a76 2a77 2a78 2a79 2a7a 2a7b 2aa0 2aa1
    2aa3 2afb 2b8c 2bcf 2bd0 2bd1 2bd2 2bd3 2bd4 2bd5 2bd6 2bd7 2bd8 2bd9 2be4 2c1b 2c1c
  ]],
  electricity = [[
    2ae0 2ae1 2aee 2aef 2af0 2af1 2af2 2af3 2b05 2b06 2b07 2b09 2b18 2b19 2b1a 2b89 2b8a 2b8d 2ba8
    2be0 2be8
  ]],
  light = "2ae3 2ae4 2ae5 2ae6 2ae7 2ae9 2afc 2afd 2afe 2aff 2b00 2b01 2b03 2b0a 2b1c 2be2 2be3",
  quantity = [[
    2a56 2a58 2a5a 2aa2 2ae2 2ae8 2aea 2aeb 2aec 2af4 2af5 2af6 2af7 2af8 2af9 2afa 2b02 2b04 2b08
    2b0b 2b0c 2b0d 2b0e 2b0f 2b10 2b11 2b1b 2bde 2bdf 2c05 2c06 2c08 2c0a 2c0b 2c1e 2c1f
    2c20 2c21
  ]],
  battery = "2a19 2be9 2bea 2bed 2bee",
  device = [[
    2a00 2a01 2a02 2a03 2a04 2a05 2a06 2a07 2a23 2a24 2a25 2a26 2a27 2a28 2a29 2a2a 2a50 2aa6 2ac9
    2b29 2b2a 2b3a 2bf5 2bff 6e400002-b5a3-f393-e0a9-e50e24dcca9e
    6e400003-b5a3-f393-e0a9-e50e24dcca9e
  ]],
  hid = "2a22 2a31 2a32 2a33 2a4a 2a4b 2a4c 2a4d 2a4e 2a4f",
  user = [[
    2a7e 2a7f 2a80 2a81 2a82 2a83 2a84 2a85 2a86 2a87 2a88 2a89 2a8a 2a8b 2a8c 2a8d 2a8e 2a8f 2a90
    2a91 2a92 2a93 2a94 2a95 2a96 2a97 2a98 2a99 2a9a 2a9f 2b48 2b49 2b4a 2b4c 2b4f
  ]],
  alert = "2a3f 2a40 2a41 2a42 2a43 2a44 2a45 2a46 2a47 2a48",
  audio = [[
    2b77 2b78 2b79 2b7a 2b7b 2b7c 2b7d 2b7e 2b7f 2b80 2b81 2b82 2b83 2b84 2b85 2b86 2b87 2bc3 2bc4
    2bc5 2bc6 2bc7 2bc9 2bca 2bcb 2bcc 2bcd 2bce 2bda 2c01 2c02 2c03 2c1a
  ]],
  media = [[
    2b93 2b94 2b95 2b96 2b97 2b98 2b99 2b9a 2b9b 2b9c 2b9d 2b9e 2b9f 2ba0 2ba1 2ba2 2ba3 2ba4 2ba5
    2ba6 2ba7 2bba
  ]],
  telephone = "2bb3 2bb4 2bb5 2bb6 2bb7 2bb8 2bb9 2bbb 2bbc 2bbd 2bbe 2bbf 2bc0 2bc1 2bc2",
  objects = "2abd 2abe 2abf 2ac0 2ac1 2ac2 2ac3 2ac4 2ac5 2ac6 2ac8",
  various = [[
    2aa4 2aa5 2ab6 2ab7 2ab8 2ab9 2aba 2abb 2adb 2adc 2add 2ade 2b2d 2b2e 2bae 2baf 2bb0 2bb1
    2bb2 2bf6 2bf7 2bf8 2c14 2c15 2c16 2c18 2c19 2c2e 2c30 2c31 2c34 2c35 2c36 2c37
  ]],
}

local topic_of = {}
for topic, ids in pairs(topics) do
  for id in ids:gmatch "%S+" do topic_of[id] = topic end
end

local sig = {
  topics = topics,
  counter = counter.new,
  difference = counter.difference,
  rate = counter.rate,
}

return setmetatable(sig, {
  __index = function(_, id)
    local topic = topic_of[id]
    return topic and require("sig." .. topic)[id]
  end,
})
