std = "lua54"
max_line_length = 120

-- Annotations for editors: declarations without bodies.
files["scripts/types"] = { ignore = { "111", "112", "113", "121", "122", "131", "142", "211", "212", "221", "241" } }

-- What the host gives decoders beside Lua's own.
files["scripts/decoders"] = { read_globals = { "codec", "crypto" } }
