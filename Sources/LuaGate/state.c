// A state's life: memory, set-up, end.
#include <stdlib.h>

#include "gate_private.h"

const char gate_key_marker = 0, gate_key_objects = 0, gate_key_types = 0, gate_key_methods = 0, gate_key_tasks = 0, gate_key_error = 0,
           gate_key_traceback = 0, gate_mark_of_wait = 0;

static uint64_t fail_next;
static int32_t failed;
static int64_t leaked;

void gate_fail_allocation(uint64_t n) {
  fail_next = n;
  failed = 0;
}

int32_t gate_allocation_failed(void) { return failed; }
int64_t gate_leaked_blocks(void) { return leaked; }

gate_memory gate_memory_of(const gate *g) { return (gate_memory){g->bytes, g->blocks, g->limit}; }

static int must_fail(gate *g, size_t growth) {
  if (g->limit && g->bytes + growth > g->limit) return 1;
  if (!g->fail_at) return 0;
  // Lua collects garbage and tries once more, so two in a row.
  uint64_t n = ++g->allocations;
  if (n != g->fail_at && n != g->fail_at + 1) return 0;
  failed = 1;
  return 1;
}

// Lua takes it that shrinking never fails.
static void *allocate(void *context, void *block, size_t old, size_t size) {
  gate *g = context;
  if (!block) old = 0;
  if (size == 0) {
    free(block);
    g->bytes -= old;
    g->blocks -= block != NULL;
    return NULL;
  }
  if (size > old && must_fail(g, size - old)) return NULL;
  void *result = realloc(block, size);
  if (!result) return size <= old ? block : NULL;
  g->bytes += size - old;
  g->blocks += block == NULL;
  return result;
}

static void warn(void *context, const char *text, int continues) {
  gate *g = context;
  g->host.warn(g->host.context, text, continues);
}

static int is_text(lua_State *L, const char *field) {
  lua_pushstring(L, field);
  if (lua_rawget(L, 1) == LUA_TSTRING) return 1;
  lua_pop(L, 1);
  return 0;
}

// What happened, and on a line of its own what to try.
static int describe_error(lua_State *L) {
  lua_settop(L, 1);
  if (!is_text(L, "message") && !is_text(L, "code")) lua_pushliteral(L, "error");
  if (is_text(L, "advice")) lua_pushfstring(L, "%s\n  %s", lua_tostring(L, 2), lua_tostring(L, 3));
  return 1;
}

static void weak_table(lua_State *L, const void *key, const char *mode) {
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_pushstring(L, mode);
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_rawsetp(L, LUA_REGISTRYINDEX, key);
}

static int open(lua_State *L) {
  luaL_openlibs(L);
  weak_table(L, &gate_key_objects, "v");
  weak_table(L, &gate_key_tasks, "k");
  lua_newtable(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &gate_key_types);
  lua_createtable(L, 0, 2);
  lua_pushcfunction(L, describe_error);
  lua_setfield(L, -2, "__tostring");
  lua_pushliteral(L, "error");
  lua_setfield(L, -2, "__name");
  lua_rawsetp(L, LUA_REGISTRYINDEX, &gate_key_error);
  return 0;
}

gate *gate_new(const gate_host *host, size_t limit) {
  gate *g = calloc(1, sizeof *g);
  if (!g) return NULL;
  g->host = *host;
  g->limit = limit;
  g->fail_at = fail_next;
  fail_next = 0;
  lua_State *L = g->main = g->current = lua_newstate(allocate, g);
  if (L) {
    // Threads inherit this from the main one.
    *(gate **)lua_getextraspace(L) = g;
    lua_pushcfunction(L, open);
    if (lua_pcall(L, 0, 0, 0) == LUA_OK) {
      lua_setwarnf(L, warn, g);
      return g;
    }
  }
  gate_close(g);
  gate_free(g);
  return NULL;
}

void gate_close(gate *g) {
  lua_State *L = g->main;
  if (!L) return;
  g->closing = 1;
  g->current = L;
  g->running = NULL;
  lua_close(L);
  g->main = g->current = NULL;
}

void gate_free(gate *g) {
  gate_reset(g, 0);
  leaked += (int64_t)g->blocks;
  free(g->arena);
  free(g->released);
  free((void *)g->library);
  free(g);
}

void gate_set_library(gate *g, const char *prefix) {
  free((void *)g->library);
  g->library = strdup(prefix);
}

static void release_now(gate *g, int32_t anchor) {
  // Both entries exist already, so this allocates nothing and can't raise.
  if (g->current && lua_checkstack(g->current, 4)) luaL_unref(g->current, LUA_REGISTRYINDEX, anchor);
}

void gate_release_late(gate *g) {
  while (g->released_count > 0) release_now(g, g->released[--g->released_count]);
}

// Values on their way may still refer to the anchor.
static void release_later(gate *g, int32_t anchor) {
  if (g->released_count == g->released_capacity) {
    size_t capacity = g->released_capacity * 2 + 16;
    int32_t *released = realloc(g->released, capacity * sizeof *released);
    if (!released) return;  // it stays until the state is closed
    g->released = released;
    g->released_capacity = capacity;
  }
  g->released[g->released_count++] = anchor;
}

void gate_release(gate *g, int32_t anchor) {
  if (anchor == gate_no_anchor) return;
  if (g->references > 0) release_later(g, anchor);
  else release_now(g, anchor);
}

void gate_collect(gate *g) {
  if (g->current) lua_gc(g->current, LUA_GCCOLLECT);
}

// Running

gate_status gate_protect(gate *g, lua_CFunction body, void *job, void *receiver) {
  lua_State *L = g->current;
  if (!L || !lua_checkstack(L, 8)) return gate_out_of_memory;
  int top = lua_gettop(L);
  lua_pushcfunction(L, body);
  lua_pushlightuserdata(L, job);
  gate_status status = gate_ok;
  if (lua_pcall(L, 1, 0, 0) != LUA_OK) status = gate_tell(L, NULL, receiver);
  lua_settop(L, top);
  return status;
}

static int describe(lua_State *L) {
  if (luaL_getmetafield(L, 1, "__tostring") != LUA_TNIL || lua_isstring(L, 1)) {
    luaL_tolstring(L, 1, NULL);
    return 1;
  }
  if (lua_istable(L, 1)) {
    lua_pushliteral(L, "message");
    if (lua_rawget(L, 1) == LUA_TSTRING) return 1;
  }
  lua_pushfstring(L, "(error object is a %s value)", luaL_typename(L, 1));
  return 1;
}

typedef struct tell_job {
  lua_State *from;
  void *receiver;
} tell_job;

// Stack: the job, the error.
static int tell(lua_State *L) {
  tell_job *job = lua_touserdata(L, 1);
  lua_pushcfunction(L, describe);
  lua_pushvalue(L, 2);
  if (lua_pcall(L, 1, 1, 0) != LUA_OK) {
    lua_pop(L, 1);
    lua_pushfstring(L, "(error object is a %s value)", luaL_typename(L, 2));
  }
  if (job->from) {
    luaL_traceback(L, job->from, NULL, 0);
  } else {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &gate_key_traceback);
    lua_pushnil(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &gate_key_traceback);
  }
  flat f;
  flat_begin(&f, L, 1);
  for (int i = 2; i <= 4; i++) flat_value(&f, i, 0);
  int32_t count = f.count;
  f.keeps_tables = 0;
  if (!lua_istable(L, 2) || flat_value(&f, 2, 0)) {
    f.count = count;
    lua_pushnil(L);
    flat_value(&f, -1, 0);
  }
  gate_receive(L, &f, job->receiver);
  return 0;
}

gate_status gate_tell(lua_State *L, lua_State *from, void *receiver) {
  tell_job job = {from, receiver};
  if (!lua_checkstack(L, 4)) return gate_out_of_memory;
  lua_pushcfunction(L, tell);
  lua_insert(L, -2);
  lua_pushlightuserdata(L, &job);
  lua_insert(L, -2);
  if (lua_pcall(L, 2, 0, 0) == LUA_OK) return gate_failed;
  lua_pop(L, 1);
  return gate_out_of_memory;
}

int gate_keep_traceback(lua_State *L) {
  luaL_traceback(L, L, NULL, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &gate_key_traceback);
  return 1;
}
