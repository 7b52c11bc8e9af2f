// Values on their way from Swift to Lua: a stack of records in plain memory.
#include <stdlib.h>

#include "gate_private.h"

// kinds that only the arena knows
enum { record_message = 100, record_reference = 101 };

typedef struct record {
  int32_t kind;
  int32_t extra;
  union {
    int64_t integer;
    double number;
    void *pointer;
    size_t count;
  };
  size_t length;
} record;

size_t gate_mark(gate *g) { return g->top; }

static size_t padded(size_t length) { return (length + 7) & ~(size_t)7; }

// After a failure nothing more is put: who takes the values raises anyway.
static void put(gate *g, record r, const void *data) {
  size_t size = sizeof r + (data ? padded(r.length) : 0);
  if (!g->overflow && g->top + size > g->capacity) {
    size_t capacity = (g->top + size) * 2 + 1024;
    char *arena = realloc(g->arena, capacity);
    if (arena) {
      g->arena = arena;
      g->capacity = capacity;
    } else {
      g->overflow = 1;
    }
  }
  if (g->overflow) {
    if (r.kind == gate_kind_object) g->host.release(g->host.context, r.pointer);
    return;
  }
  memcpy(g->arena + g->top, &r, sizeof r);
  if (data) memcpy(g->arena + g->top + sizeof r, data, r.length);
  g->top += size;
}

void gate_put_nil(gate *g) { put(g, (record){.kind = gate_kind_nil}, NULL); }
void gate_put_boolean(gate *g, int32_t value) { put(g, (record){.kind = gate_kind_boolean, .integer = value}, NULL); }
void gate_put_integer(gate *g, int64_t value) { put(g, (record){.kind = gate_kind_integer, .integer = value}, NULL); }
void gate_put_number(gate *g, double value) { put(g, (record){.kind = gate_kind_number, .number = value}, NULL); }

void gate_put_string(gate *g, const void *data, size_t length) {
  put(g, (record){.kind = gate_kind_string, .length = length}, data ? data : "");
}

void gate_put_message(gate *g, const void *data, size_t length) {
  put(g, (record){.kind = record_message, .length = length}, data ? data : "");
}

void gate_put_table(gate *g, size_t array, size_t pairs) {
  put(g, (record){.kind = gate_kind_table, .count = array, .length = pairs}, NULL);
}

void gate_put_error(gate *g, size_t pairs) {
  put(g, (record){.kind = gate_kind_error, .count = 0, .length = pairs}, NULL);
}

void gate_put_object(gate *g, void *retained, int32_t type) {
  g->objects++;
  put(g, (record){.kind = gate_kind_object, .extra = type, .pointer = retained}, NULL);
  if (g->overflow) g->objects--;
}

void gate_put_reference(gate *g, int32_t anchor, int64_t entry) {
  g->references++;
  put(g, (record){.kind = record_reference, .extra = anchor, .integer = entry}, NULL);
  if (g->overflow) g->references--;
}

void gate_put_failure(gate *g) { g->overflow = 1; }

static size_t next_of(const record *r, size_t at) {
  int has_data = r->kind == gate_kind_string || r->kind == record_message;
  return at + sizeof *r + (has_data ? padded(r->length) : 0);
}

static record record_at(const gate *g, size_t at) {
  record r;
  memcpy(&r, g->arena + at, sizeof r);
  return r;
}

// The object of the record is Lua's now, or released.
static void consume(gate *g, size_t at) {
  record r = record_at(g, at);
  r.pointer = NULL;
  memcpy(g->arena + at, &r, sizeof r);
  g->objects--;
}

void gate_reset(gate *g, size_t mark) {
  size_t end = g->top;
  // A released object may call back, which puts above `end` and resets to it.
  for (size_t at = mark; g->objects + g->references > 0 && at < end;) {
    record r = record_at(g, at);
    if (r.kind == record_reference) g->references--;
    if (r.kind == gate_kind_object && r.pointer) {
      consume(g, at);
      g->host.release(g->host.context, r.pointer);
    }
    at = next_of(&r, at);
  }
  g->top = mark;
  if (mark == 0) g->overflow = 0;
  if (g->references == 0) gate_release_late(g);
}

static void push_object(lua_State *L, gate *g, size_t at) {
  record r = record_at(g, at);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &gate_key_objects);
  if (lua_rawgetp(L, -1, r.pointer) == LUA_TUSERDATA) {
    lua_remove(L, -2);
    consume(g, at);
    g->host.release(g->host.context, r.pointer);  // the userdata has a count of its own
    return;
  }
  lua_pop(L, 1);
  gate_block *block = lua_newuserdatauv(L, sizeof *block, 0);
  block->object = NULL;
  block->type = r.extra;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &gate_key_types);
  lua_rawgeti(L, -1, r.extra);
  lua_setmetatable(L, -3);
  lua_pop(L, 1);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, -3, r.pointer);
  // Nothing raises from here on.
  block->object = r.pointer;
  consume(g, at);
  lua_remove(L, -2);
}

static size_t push(lua_State *L, size_t at);

static size_t push_table(lua_State *L, record r, size_t at) {
  lua_createtable(L, (int)r.count, (int)(r.length < 4096 ? r.length : 4096));
  for (size_t i = 1; i <= r.count; i++) {
    at = push(L, at);
    lua_rawseti(L, -2, (lua_Integer)i);
  }
  for (size_t i = 0; i < r.length; i++) {
    at = push(L, at);
    at = push(L, at);
    int usable = !lua_isnil(L, -2) && !(lua_type(L, -2) == LUA_TNUMBER && lua_tonumber(L, -2) != lua_tonumber(L, -2));
    if (usable) lua_rawset(L, -3);
    else lua_pop(L, 2);
  }
  return at;
}

static size_t push(lua_State *L, size_t at) {
  gate *g = gate_of(L);
  record r = record_at(g, at);
  size_t next = next_of(&r, at);
  luaL_checkstack(L, 8, "value nested too deep");
  switch (r.kind) {
    case gate_kind_boolean: lua_pushboolean(L, (int)r.integer); break;
    case gate_kind_integer: lua_pushinteger(L, r.integer); break;
    case gate_kind_number: lua_pushnumber(L, r.number); break;
    case gate_kind_string: lua_pushlstring(L, g->arena + at + sizeof r, r.length); break;
    case record_message:
      if (g->defers_where) lua_pushliteral(L, "");
      else gate_push_where(L);
      lua_pushlstring(L, g->arena + at + sizeof r, r.length);
      lua_concat(L, 2);
      break;
    case gate_kind_table: next = push_table(L, r, next); break;
    case gate_kind_error:
      next = push_table(L, r, next);
      lua_rawgetp(L, LUA_REGISTRYINDEX, &gate_key_error);
      lua_setmetatable(L, -2);
      if (!g->defers_where) gate_add_where(L);
      break;
    case gate_kind_object: push_object(L, g, at); break;
    case record_reference:
      lua_rawgeti(L, LUA_REGISTRYINDEX, r.extra);
      lua_rawgeti(L, -1, r.integer);
      lua_remove(L, -2);
      break;
    default: lua_pushnil(L);
  }
  return next;
}

int gate_push_all(lua_State *L, size_t mark, size_t end) {
  if (gate_of(L)->overflow) luaL_error(L, "not enough memory");
  int count = 0;
  for (size_t at = mark; at < end; count++) at = push(L, at);
  return count;
}

int gate_is_message(const gate *g, size_t mark) {
  size_t at = mark + sizeof(record);  // behind a boolean, see gate_resume
  return at < g->top && record_at(g, mark).kind == gate_kind_boolean && record_at(g, at).kind == record_message;
}

int gate_all_plain(const gate *g, size_t mark) {
  if (g->overflow || g->top - mark > 8 * sizeof(record)) return 0;
  for (size_t at = mark; at < g->top; at += sizeof(record))
    if (record_at(g, at).kind > gate_kind_number) return 0;
  return 1;
}

void gate_push_plain(lua_State *L, gate *g, size_t mark) {
  for (size_t at = mark; at < g->top; at += sizeof(record)) {
    record r = record_at(g, at);
    if (r.kind == gate_kind_boolean) lua_pushboolean(L, (int)r.integer);
    else if (r.kind == gate_kind_integer) lua_pushinteger(L, r.integer);
    else if (r.kind == gate_kind_number) lua_pushnumber(L, r.number);
    else lua_pushnil(L);
  }
}
