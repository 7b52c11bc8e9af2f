// Swift calls Lua: chunks, functions, coroutines.
#include "gate_private.h"

typedef struct load_job {
  const void *code;
  size_t length;
  const char *name;
  void *receiver;
} load_job;

static int load(lua_State *L) {
  load_job *job = lua_touserdata(L, 1);
  if (luaL_loadbufferx(L, job->code, job->length, job->name, "t") != LUA_OK) return lua_error(L);
  flat f;
  flat_begin(&f, L, 1);
  flat_value(&f, 2, 0);
  gate_receive(L, &f, job->receiver);
  return 0;
}

gate_status gate_load(gate *g, const void *code, size_t length, const char *name, void *receiver) {
  load_job job = {code, length, name, receiver};
  return gate_protect(g, load, &job, receiver);
}

static int bootstrap(lua_State *L) {
  load_job *job = lua_touserdata(L, 1);
  if (luaL_loadbufferx(L, job->code, job->length, job->name, "t") != LUA_OK) return lua_error(L);
  lua_pushlightuserdata(L, (void *)&gate_mark_of_wait);
  lua_pushcfunction(L, gate_resume_script);
  lua_pushcfunction(L, gate_task_of);
  lua_call(L, 3, 0);
  return 0;
}

gate_status gate_bootstrap(gate *g, const char *code, size_t length, const char *name, void *receiver) {
  load_job job = {code, length, name, receiver};
  return gate_protect(g, bootstrap, &job, receiver);
}

typedef struct call_job {
  int32_t anchor;
  int64_t entry;
  size_t mark;
  const char *name;
  int32_t *thread;
  void *receiver;
} call_job;

static void push_entry(lua_State *L, const call_job *job) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, job->anchor);
  lua_rawgeti(L, -1, job->entry);
  lua_remove(L, -2);
}

static void receive_all(lua_State *L, int first, int count, int keeps_tables, void *receiver) {
  flat f;
  flat_begin(&f, L, keeps_tables);
  for (int i = 0; i < count; i++) {
    const char *fault = flat_value(&f, first + i, 0);
    if (fault) luaL_error(L, "cannot return %s", fault);
  }
  gate_receive(L, &f, receiver);
}

// Only for the outermost call: what it calls spends of the same budget.
static int begin_budget(gate *g, lua_State *L) {
  if (g->budget == 0 || g->counts) return 0;
  g->counts = 1;
  g->left = g->budget;
  lua_sethook(L, gate_hook_count, LUA_MASKCOUNT, gate_budget_step);
  return 1;
}

static void end_budget(gate *g, lua_State *L) {
  g->counts = 0;
  lua_sethook(L, NULL, 0, 0);
}

static int call(lua_State *L) {
  call_job *job = lua_touserdata(L, 1);
  gate *g = gate_of(L);
  lua_pushcfunction(L, gate_keep_traceback);
  push_entry(L, job);
  int count = gate_push_all(L, job->mark, g->top);
  lua_State *previous = g->running;
  g->running = L;
  int counts = begin_budget(g, L);
  int status = lua_pcall(L, count, LUA_MULTRET, 2);
  if (counts) end_budget(g, L);
  g->running = previous;
  if (status != LUA_OK) return lua_error(L);
  receive_all(L, 3, lua_gettop(L) - 2, 0, job->receiver);
  return 0;
}

gate_status gate_call(gate *g, int32_t anchor, int64_t entry, size_t mark, void *receiver) {
  call_job job = {.anchor = anchor, .entry = entry, .mark = mark, .receiver = receiver};
  gate_status status = gate_protect(g, call, &job, receiver);
  gate_reset(g, mark);
  return status;
}

static int set_global(lua_State *L) {
  call_job *job = lua_touserdata(L, 1);
  gate_push_all(L, job->mark, gate_of(L)->top);
  lua_setglobal(L, job->name);
  return 0;
}

gate_status gate_set_global(gate *g, const char *name, size_t mark, void *receiver) {
  call_job job = {.name = name, .mark = mark};
  gate_status status = gate_protect(g, set_global, &job, receiver);
  gate_reset(g, mark);
  return status;
}

static int copy(lua_State *L) {
  call_job *job = lua_touserdata(L, 1);
  push_entry(L, job);
  receive_all(L, 2, 1, 0, job->receiver);
  return 0;
}

gate_status gate_copy(gate *g, int32_t anchor, int64_t entry, void *receiver) {
  call_job job = {.anchor = anchor, .entry = entry, .receiver = receiver};
  return gate_protect(g, copy, &job, receiver);
}

// Coroutines

static int make_thread(lua_State *L) {
  call_job *job = lua_touserdata(L, 1);
  lua_State *co = lua_newthread(L);
  push_entry(L, job);
  lua_xmove(L, co, 1);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &gate_key_tasks);
  lua_pushvalue(L, 2);
  lua_pushboolean(L, 1);
  lua_rawset(L, -3);
  lua_settop(L, 2);
  *job->thread = luaL_ref(L, LUA_REGISTRYINDEX);
  return 0;
}

gate_status gate_thread(gate *g, int32_t anchor, int64_t entry, int32_t *thread, void *receiver) {
  call_job job = {.anchor = anchor, .entry = entry, .thread = thread};
  return gate_protect(g, make_thread, &job, receiver);
}

typedef struct resume_job {
  int32_t thread;
  size_t mark;
  int64_t *operation;
  gate_status status;
  void *receiver;
} resume_job;

static int push_arguments(lua_State *L) {
  size_t mark = (size_t)lua_tointeger(L, 1);
  gate *g = gate_of(L);
  lua_settop(L, 0);
  return gate_push_all(L, mark, g->top);
}

// What the coroutine is to go on with; that there is no memory for it is an error that the script may catch.
static int give_arguments(lua_State *L, lua_State *co, size_t mark, int started) {
  gate *g = gate_of(L);
  int top = lua_gettop(L);
  int is_message = gate_is_message(g, mark);
  lua_pushcfunction(L, push_arguments);
  lua_pushinteger(L, (lua_Integer)mark);
  g->defers_where = 1;
  int status = lua_pcall(L, 1, LUA_MULTRET, 0);
  g->defers_where = 0;
  if (status != LUA_OK) {
    if (!started) lua_error(L);
    lua_pushboolean(L, 0);
    lua_insert(L, top + 1);
  } else if (is_message) {
    luaL_checkstack(L, 1, NULL);
    lua_pushboolean(L, 1);
  }
  int count = lua_gettop(L) - top;
  if (!lua_checkstack(co, count + 1)) luaL_error(L, "not enough memory");
  lua_xmove(L, co, count);
  return count;
}

static int waits(lua_State *co, int count) {
  return count == 2 && lua_touserdata(co, -2) == (void *)&gate_mark_of_wait && lua_islightuserdata(co, -2);
}

static int resume(lua_State *L) {
  resume_job *job = lua_touserdata(L, 1);
  gate *g = gate_of(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, job->thread);
  lua_State *co = lua_tothread(L, 2);
  int count = give_arguments(L, co, job->mark, lua_status(co) == LUA_YIELD);
  lua_State *previous = g->running;
  g->running = co;
  int status = lua_resume(co, L, count, &count);
  g->running = previous;
  if (status == LUA_YIELD && waits(co, count)) {
    *job->operation = lua_tointeger(co, -1);
    lua_pop(co, count);
    job->status = gate_waiting;
  } else if (status == LUA_OK) {
    luaL_checkstack(L, count, "too many results");
    lua_xmove(co, L, count);
    receive_all(L, 3, count, 1, job->receiver);
  } else {
    if (status == LUA_YIELD) {
      lua_pop(co, count);
      lua_pushliteral(L, "attempt to yield from outside a coroutine");
    } else {
      lua_xmove(co, L, 1);
    }
    job->status = gate_tell(L, co, job->receiver);
  }
  return 0;
}

gate_status gate_resume(gate *g, int32_t thread, size_t mark, int64_t *operation, void *receiver) {
  resume_job job = {thread, mark, operation, gate_ok, receiver};
  gate_status status = gate_protect(g, resume, &job, receiver);
  gate_reset(g, mark);
  return status == gate_ok ? job.status : status;
}

static int close_thread(lua_State *L) {
  resume_job *job = lua_touserdata(L, 1);
  gate *g = gate_of(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, job->thread);
  lua_State *co = lua_tothread(L, 2);
  int had_error = lua_status(co) > LUA_YIELD && lua_gettop(co) > 0 && lua_checkstack(co, 1);
  if (had_error) {
    lua_pushvalue(co, -1);
    lua_xmove(co, L, 1);
  } else {
    lua_pushnil(L);
  }
  lua_State *previous = g->running;
  g->running = co;
  int status = lua_resetthread(co);
  g->running = previous;
  if (status == LUA_OK) return 0;
  lua_xmove(co, L, 1);
  // The error that ended the coroutine has been told already.
  if (had_error && lua_rawequal(L, -1, 3)) return 0;
  job->status = gate_tell(L, NULL, job->receiver);
  return 0;
}

gate_status gate_thread_close(gate *g, int32_t thread, void *receiver) {
  resume_job job = {.thread = thread, .status = gate_ok, .receiver = receiver};
  gate_status status = gate_protect(g, close_thread, &job, receiver);
  return status == gate_ok ? job.status : status;
}

int gate_is_task(lua_State *L, int index) {
  lua_pushvalue(L, index);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &gate_key_tasks);
  lua_insert(L, -2);
  int found = lua_rawget(L, -2) != LUA_TNIL;
  lua_pop(L, 2);
  return found;
}

// For scripts: whether the thread, or the running one, is a task's.
int gate_task_of(lua_State *L) {
  if (lua_isnoneornil(L, 1)) {
    lua_settop(L, 0);
    lua_pushthread(L);
  }
  lua_pushboolean(L, gate_is_task(L, 1));
  return 1;
}

// `coroutine.resume`, but the gate knows who runs.
int gate_resume_script(lua_State *L) {
  gate *g = gate_of(L);
  lua_State *co = lua_tothread(L, 1);
  luaL_argexpected(L, co, 1, "coroutine");
  int count = lua_gettop(L) - 1;
  const char *fault = gate_is_task(L, 1) ? "cannot resume a task" : NULL;
  if (!fault && !lua_checkstack(co, count)) fault = "too many arguments to resume";
  if (fault) {
    lua_pushboolean(L, 0);
    lua_pushstring(L, fault);
    return 2;
  }
  lua_xmove(L, co, count);
  lua_State *previous = g->running;
  g->running = co;
  int status = lua_resume(co, L, count, &count);
  g->running = previous;
  int went_well = status == LUA_OK || status == LUA_YIELD;
  if (!went_well) count = 1;
  if (!lua_checkstack(L, count + 1)) {
    lua_pop(co, count);
    return luaL_error(L, "too many results to resume");
  }
  lua_pushboolean(L, went_well);
  lua_xmove(co, L, count);
  return count + 1;
}

static void raise_here(lua_State *L, const char *message) {
  // Level 0 is the function that runs; one in C has no line, but its caller may have.
  luaL_where(L, 0);
  if (lua_rawlen(L, -1) == 0) {
    lua_pop(L, 1);
    luaL_where(L, 1);
  }
  lua_pushstring(L, message);
  lua_concat(L, 2);
  lua_error(L);
}

void gate_hook_stop(lua_State *L, lua_Debug *at) {
  (void)at;
  lua_sethook(L, NULL, 0, 0);
  raise_here(L, "interrupted");
}

// Coroutines inherit the hook, and spend of the same budget.
void gate_hook_count(lua_State *L, lua_Debug *at) {
  (void)at;
  gate *g = gate_of(L);
  if (!g->counts) {
    lua_sethook(L, NULL, 0, 0);
    return;
  }
  g->left -= gate_budget_step;
  if (g->left > 0) return;
  // Again at the next instruction: a pcall in a loop must not go on.
  lua_sethook(L, gate_hook_count, LUA_MASKCOUNT, 1);
  raise_here(L, "too many instructions");
}

void gate_limit_instructions(gate *g, int64_t budget) { g->budget = budget; }

void gate_interrupt(gate *g) {
  lua_State *L = g->running;
  if (L) lua_sethook(L, gate_hook_stop, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, 1);
}
