// LuaRuntime
