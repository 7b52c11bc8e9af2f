// Lua calls Swift, by way of one C function.
#include "gate_private.h"

// "file:line: " of the innermost Lua code that is not the host's own.
void gate_push_where(lua_State *L) {
  gate *g = gate_of(L);
  lua_Debug at;
  for (int level = 1; lua_getstack(L, level, &at); level++) {
    lua_getinfo(L, "Sl", &at);
    if (at.currentline <= 0) continue;
    if (strncmp(at.source, "=[host]", 7) == 0) continue;
    if (g->library && strncmp(at.source, g->library, strlen(g->library)) == 0) continue;
    lua_pushfstring(L, "%s:%d: ", at.short_src, at.currentline);
    return;
  }
  lua_pushliteral(L, "");
}

// The field `where`, unless it is there.
void gate_add_where(lua_State *L) {
  lua_pushliteral(L, "where");
  if (lua_rawget(L, -2) == LUA_TNIL) {
    gate_push_where(L);
    size_t length = lua_rawlen(L, -1);
    if (length > 2) {  // without the ": " at the end
      lua_pushliteral(L, "where");
      lua_pushlstring(L, lua_tostring(L, -2), length - 2);
      lua_rawset(L, -5);
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

static int push_protected(lua_State *L) {
  size_t mark = (size_t)lua_tointeger(L, 1), end = (size_t)lua_tointeger(L, 2);
  lua_settop(L, 0);
  return gate_push_all(L, mark, end);
}

// Pushes what Swift put since `mark` and frees it, also when that fails. Returns the status.
static int push_answer(lua_State *L, gate *g, size_t mark) {
  lua_settop(L, 0);
  if (gate_all_plain(g, mark)) {
    gate_push_plain(L, g, mark);
    g->top = mark;
    return LUA_OK;
  }
  lua_pushcfunction(L, push_protected);
  lua_pushinteger(L, (lua_Integer)mark);
  lua_pushinteger(L, (lua_Integer)g->top);
  int status = lua_pcall(L, 2, LUA_MULTRET, 0);
  lua_State *previous = g->current;
  g->current = L;
  gate_reset(g, mark);
  g->current = previous;
  return status;
}

static int is_host_error(lua_State *L, int index) {
  if (!lua_istable(L, index) || !lua_getmetatable(L, index)) return 0;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &gate_key_error);
  int same = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return same;
}

// After a wait: true and results, or false, an error, and whether that wants a position.
static int resumed(lua_State *L, int status, lua_KContext context) {
  (void)status;
  (void)context;
  if (lua_toboolean(L, 1)) {
    lua_remove(L, 1);
    return lua_gettop(L);
  }
  int is_message = lua_toboolean(L, 3);
  lua_settop(L, 2);
  if (is_message) {
    gate_push_where(L);
    lua_insert(L, 2);
    lua_concat(L, 2);
  } else if (is_host_error(L, 2)) {
    gate_add_where(L);
  }
  return lua_error(L);
}

static void ask(lua_State *L, gate_request *request, flat *f) {
  int count = lua_gettop(L);
  flat_begin(f, L, (int)lua_tointeger(L, lua_upvalueindex(2)));
  for (int i = 1; i <= count; i++) {
    request->fault = flat_value(f, i, 0);
    if (request->fault) count = i;
  }
  request->function = (int32_t)lua_tointeger(L, lua_upvalueindex(1));
  request->count = count;
  request->cells = f->cells;
  request->cell_count = f->count;
  request->can_wait = lua_isyieldable(L);
  request->anchor = flat_anchor(f);
}

int gate_trampoline(lua_State *L) {
  gate *g = gate_of(L);
  if (g->closing) return luaL_error(L, "the script has ended");
  gate_request request = {0};
  flat f;
  ask(L, &request, &f);  // raises, but Swift has not been called yet

  size_t mark = g->top;
  lua_State *previous = g->current;
  g->current = L;
  gate_answer answer = g->host.call(g->host.context, &request);
  g->current = previous;

  // No Swift frame is left: now Lua may jump.
  if (answer == gate_answer_wait) {
    gate_reset(g, mark);
    lua_settop(L, 0);
    lua_pushlightuserdata(L, (void *)&gate_mark_of_wait);
    lua_pushinteger(L, request.operation);
    return lua_yieldk(L, 2, 0, resumed);
  }
  int status = push_answer(L, g, mark);
  if (status != LUA_OK) return lua_error(L);
  if (answer == gate_answer_error) {
    lua_settop(L, 1);
    return lua_error(L);
  }
  return lua_gettop(L);
}

// Methods first, then the type's getter.
static int index_object(lua_State *L) {
  if (lua_type(L, 2) == LUA_TSTRING) {
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(3)) != LUA_TNIL) return 1;
    lua_pop(L, 1);
  }
  return gate_trampoline(L);
}

static int collect_object(lua_State *L) {
  gate *g = gate_of(L);
  gate_block *block = lua_touserdata(L, 1);
  void *object = block ? block->object : NULL;
  if (!object) return 0;
  block->object = NULL;
  lua_State *previous = g->current;
  g->current = L;
  g->host.release(g->host.context, object);
  g->current = previous;
  return 0;
}

void gate_push_function(lua_State *L, const gate_function *function) {
  lua_pushinteger(L, function->id);
  lua_pushinteger(L, function->keeps_tables);
  lua_pushcclosure(L, gate_trampoline, 2);
}

typedef struct module_job {
  const char *name;
  const gate_function *functions;
  size_t count;
  const int32_t *types;
  size_t type_count;
} module_job;

static int loaded_module(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  return 1;
}

// Stack: …, the module.
static void show_methods(lua_State *L, int32_t type) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &gate_key_types);
  lua_rawgeti(L, -1, type);
  lua_getfield(L, -1, "__name");
  lua_pushliteral(L, "_methods");
  lua_concat(L, 2);
  lua_rawgetp(L, -2, &gate_key_methods);
  lua_settable(L, -5);
  lua_pop(L, 2);
}

static int define_module(lua_State *L) {
  module_job *job = lua_touserdata(L, 1);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_createtable(L, 0, (int)job->count);
  for (size_t i = 0; i < job->count; i++) {
    gate_push_function(L, &job->functions[i]);
    lua_setfield(L, -2, job->functions[i].name);
  }
  for (size_t i = 0; i < job->type_count; i++) show_methods(L, job->types[i]);
  lua_pushcclosure(L, loaded_module, 1);
  lua_setfield(L, -2, job->name);
  return 0;
}

gate_status gate_module(gate *g, const char *name, const gate_function *functions, size_t count, const int32_t *types,
                        size_t type_count, void *receiver) {
  module_job job = {name, functions, count, types, type_count};
  return gate_protect(g, define_module, &job, receiver);
}

typedef struct type_job {
  const char *name;
  const gate_function *methods, *operators;
  size_t method_count, operator_count;
  int32_t index, newindex;
  int32_t *type;
} type_job;

static void set_closure(lua_State *L, const char *field, lua_CFunction function, int32_t id) {
  lua_pushinteger(L, id);
  lua_pushinteger(L, 0);
  lua_pushvalue(L, 3);
  lua_pushcclosure(L, function, 3);
  lua_setfield(L, 2, field);
}

static int define_type(lua_State *L) {
  type_job *job = lua_touserdata(L, 1);
  lua_settop(L, 1);
  lua_newtable(L);                               // 2: the metatable
  lua_createtable(L, 0, (int)job->method_count);  // 3: the methods
  for (size_t i = 0; i < job->method_count; i++) {
    gate_push_function(L, &job->methods[i]);
    lua_setfield(L, 3, job->methods[i].name);
  }
  for (size_t i = 0; i < job->operator_count; i++) {
    gate_push_function(L, &job->operators[i]);
    lua_setfield(L, 2, job->operators[i].name);
  }
  set_closure(L, "__index", index_object, job->index);
  set_closure(L, "__newindex", gate_trampoline, job->newindex);
  lua_pushcfunction(L, collect_object);
  lua_setfield(L, 2, "__gc");
  lua_pushstring(L, job->name);
  lua_setfield(L, 2, "__name");
  lua_pushboolean(L, 0);  // getmetatable gives nothing: a script could call __gc
  lua_setfield(L, 2, "__metatable");
  lua_pushboolean(L, 1);
  lua_rawsetp(L, 2, &gate_key_marker);
  lua_pushvalue(L, 3);
  lua_rawsetp(L, 2, &gate_key_methods);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &gate_key_types);
  int32_t type = (int32_t)lua_rawlen(L, -1) + 1;
  lua_pushvalue(L, 2);
  lua_rawseti(L, -2, type);
  *job->type = type;
  return 0;
}

gate_status gate_type(gate *g, const char *name, const gate_function *methods, size_t method_count,
                      const gate_function *operators, size_t operator_count, int32_t index, int32_t newindex,
                      int32_t *type, void *receiver) {
  type_job job = {name, methods, operators, method_count, operator_count, index, newindex, type};
  return gate_protect(g, define_type, &job, receiver);
}
