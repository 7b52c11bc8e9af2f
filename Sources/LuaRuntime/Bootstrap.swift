/// Lua code that every state begins with: coroutines through which a task can wait, and text chunks only.
enum Bootstrap {
  static let name = "=[host]"

  static let code = #"""
    local mark, resume, is_task = ...

    -- Coroutines -------------------------------------------------------------------------------------------------
    -- A wait yields `mark` and a number. When that comes out of a coroutine that a script made, it is passed on
    -- outwards until it reaches the host, and what comes back is passed inwards.

    local create, close, status = coroutine.create, coroutine.close, coroutine.status
    local yield, isyieldable = coroutine.yield, coroutine.isyieldable
    local pack, unpack, type, error, setmetatable = table.pack, table.unpack, type, error, setmetatable

    local waiting = setmetatable({}, { __mode = "k" })

    local refusal = "cannot wait here: called from a coroutine whose caller can't wait " ..
      "(inside a string.gsub or table.sort callback, or at the top level of a required file)"

    -- The task was cancelled while the coroutine waited: its <close> values run too.
    local guard = {
      __close = function(self)
        local co = self[1]
        if co and waiting[co] then
          waiting[co] = nil
          local ok, reason = close(co)
          if not ok then error(reason, 0) end
        end
      end,
    }

    local function pass(co, result)
      local held <close> = setmetatable({ co }, guard)
      while result[1] and result[2] == mark do
        if isyieldable() then
          waiting[co] = true
          local answer = pack(yield(mark, result[3]))
          waiting[co] = nil
          result = pack(resume(co, unpack(answer, 1, answer.n)))
        else
          result = pack(resume(co, false, refusal, true))
        end
      end
      return unpack(result, 1, result.n)
    end

    local function deliver(co, ...)
      local ok, first = ...
      if ok and first == mark then return pass(co, pack(...)) end
      return ...
    end

    function coroutine.resume(co, ...)
      if waiting[co] then return false, "cannot resume a coroutine that waits" end
      return deliver(co, resume(co, ...))
    end

    local function unwrap(co, ok, ...)
      if ok then return ... end
      local reason = ...
      if status(co) == "dead" then
        local closed, other = close(co)
        if not closed then reason = other end
      end
      error(reason, type(reason) == "string" and 2 or 0)
    end

    function coroutine.wrap(fn)
      local co = create(fn)
      local again = coroutine.resume
      return function(...) return unwrap(co, again(co, ...)) end
    end

    function coroutine.close(co)
      if is_task(co) then error("cannot close a task", 2) end
      if waiting[co] then error("cannot close a coroutine that waits", 2) end
      return close(co)
    end

    function coroutine.status(co)
      return waiting[co] and "normal" or status(co)
    end

    function coroutine.yield(...)
      if is_task() then error("attempt to yield from outside a coroutine", 2) end
      return yield(...)
    end

    -- Text only ----------------------------------------------------------------------------------------------------
    -- Lua does not check binary chunks: a made one can do anything to the process.

    local load, loadfile, select = load, loadfile, select
    local function text(mode) return mode == "b" and "b" or "t" end

    local no_binary = "binary chunks are not supported"

    function _G.load(chunk, name, mode, ...)
      if text(mode) == "b" then return nil, no_binary end
      return load(chunk, name, "t", ...)
    end

    function _G.loadfile(file, mode, ...)
      if text(mode) == "b" then return nil, no_binary end
      return loadfile(file, "t", ...)
    end

    function _G.dofile(file)
      local chunk, reason = loadfile(file, "t")
      if not chunk then error(reason, 0) end
      return chunk()
    end

    package.searchers[2] = function(name)
      local file, reason = package.searchpath(name, package.path)
      if not file then return reason end
      local chunk, fault = loadfile(file, "t")
      if not chunk then
        error(("error loading module '%s' from file '%s':\n\t%s"):format(name, file, fault), 0)
      end
      return chunk, file
    end

    -- The end of a script is the host's business: links are closed first.
    function os.exit(code)
      require("task.native").exit(code)
    end
    """#
}
