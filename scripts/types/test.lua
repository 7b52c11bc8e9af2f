---@meta test

--- Tests for `blescript test FILE`: `local test = require "test"`. docs/testing.md shows how they are written.
---@class test
---@overload fun(name: string, fn: fun(t: test.t))
---@overload fun(name: string, options: test.options, fn: fun(t: test.t))
local test = {}

---@class test.options
---@field world? string            A world that ships: `"lab"`; or a path from the test file's folder.
---@field only? "simulator"|"real" Elsewhere it is skipped.

--- What a test gets. `note`: goes in front of the complaint.
---@class test.t
---@field place "simulator"|"real"   Where it runs.
local t = {}

--- Fails unless the two are equal; tables are compared by what is in them, integers are not floats.
---@param got any
---@param wanted any
---@param note? string
function t.equal(got, wanted, note) end

--- Fails unless the two numbers are within `tolerance` of each other.
---@param got number
---@param wanted number
---@param tolerance number
---@param note? string
function t.near(got, wanted, tolerance, note) end

--- Fails unless the value is neither false nor nil.
---@param value any
---@param note? string
function t.ok(value, note) end

--- Fails unless `fn` raises an error of this code; returns the error. Without a code: any error.
---@param code ble.code
---@param fn fun()
---@param note? string
---@return ble.error
---@overload fun(fn: fun(), note?: string): any
function t.raises(code, fn, note) end

--- Has the world carry out an order such as `"lab notify notify 0102"`. Returns when it has.
---@param line string
function t.order(line) end

--- What the program holds now, once garbage is gone: for tests of leaks. Bytes: `memory` (Lua's), `resident`; counts:
--- `blocks` (Lua's), `descriptors`, `match_rules`, `pending_replies`, `devices`.
---@return table<string, integer>
function t.holdings() end

--- Waits until `condition()` is true.
---@param condition fun(): any
---@param timeout? number  Seconds; 10.
---@param note? string
function t.eventually(condition, timeout, note) end

return test
