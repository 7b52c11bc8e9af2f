---@meta task

--- Tasks: pieces of a script that run side by side. A call that waits suspends only its own task.
---@class task
local task = {}

---@class task.task
---@field status "ready"|"running"|"waiting"|"done"|"failed"|"cancelled"
local Task = {}

--- Ends the task where it waits; its `<close>` values run before this returns, and can't wait. A running task ends at
--- its next wait.
function Task:cancel() end

--- Waits for the end. Gives what the task's function returned, or raises its error (code `cancelled` when it was).
---@return any ...
function Task:wait() end

--- Starts a task. An error that nobody waits for ends the script.
---@param fn fun(...): ...
---@param ... any arguments of `fn`
---@return task.task
function task.spawn(fn, ...) end

--- Like `spawn`, but the script does not wait for this task: it is cancelled when all others have ended.
---@param fn fun(...): ...
---@param ... any arguments of `fn`
---@return task.task
function task.background(fn, ...) end

--- The task that runs.
---@return task.task
function task.current() end

---@param seconds number not negative
function task.sleep(seconds) end

--- Seconds since the program started. It never goes back.
---@return number
function task.now() end

--- Calls `fn(item, index)` for all items at once, or all functions of the list. Gives their first results in the order
--- of the list. The first error cancels the others and is raised.
---@generic T, R
---@param list T[]
---@param fn? fun(item: T, index: integer): R
---@return R[]
function task.all(list, fn) end

--- Runs all functions at once. The first to end decides: its results are returned, or its error is raised. The others
--- are cancelled.
---@param list (fun(): ...)[]
---@return any ...
function task.race(list) end

--- Gives what `fn(...)` returns. After `seconds` it is cancelled, and an error with code `timeout` is raised.
---@param seconds number
---@param fn fun(...): ...
---@param ... any arguments of `fn`
---@return any ...
function task.timeout(seconds, fn, ...) end

--- Calls `fn(...)` every so many seconds, first after `seconds`, until cancelled. It does not drift; calls that a slow
---`fn` makes late by a whole period are left out.
---@param seconds number more than 0
---@param fn fun(...)
---@param ... any arguments of `fn`
---@return task.task
function task.every(seconds, fn, ...) end

--- Hands values from task to task: `for value in channel do … end` receives until it is closed.
---@class task.channel
---@operator call: any
local Channel = {}

--- Waits while the channel is full. An error when it is closed.
---@param value any not nil
function Channel:send(value) end

--- Waits for a value; nil when the channel is closed and empty.
---@return any
function Channel:receive() end

--- No more can be sent. What is in the buffer can still be received.
function Channel:close() end

---@param size? number values it holds before `send` waits; 0 unless said: each `send` waits for its receiver
---@return task.channel
function task.channel(size) end

return task
