std = "lua54"
max_line_length = 120

-- Annotations for editors: declarations without bodies.
files["scripts/types"] = { ignore = { "111", "112", "113", "121", "122", "131", "142", "211", "212", "221", "241" } }
