// LuaBLE
