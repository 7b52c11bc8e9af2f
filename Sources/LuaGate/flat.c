// Values on their way from Lua to Swift: cells in order, tables before what they hold.
#include "gate_private.h"

void flat_begin(flat *f, lua_State *L, int keeps_tables) {
  luaL_checkstack(L, 4, "too many arguments");
  f->L = L;
  f->cells = f->fixed;
  f->count = 0;
  f->capacity = gate_fixed_cells;
  f->anchored = 0;
  f->keeps_tables = keeps_tables;
  lua_pushnil(L);
  f->slot = lua_gettop(L);
  lua_pushnil(L);
  f->anchor_slot = lua_gettop(L);
}

// The cells are in a userdata, so that whoever raises need not free them.
static gate_cell *add(flat *f, gate_cell cell) {
  if (f->count == f->capacity) {
    gate_cell *more = lua_newuserdatauv(f->L, sizeof(gate_cell) * (size_t)f->capacity * 2, 0);
    memcpy(more, f->cells, sizeof(gate_cell) * (size_t)f->count);
    lua_replace(f->L, f->slot);
    f->cells = more;
    f->capacity *= 2;
  }
  f->cells[f->count] = cell;
  return &f->cells[f->count++];
}

static const char *anchor(flat *f, gate_kind kind, int index) {
  lua_State *L = f->L;
  index = lua_absindex(L, index);
  if (!f->anchored) {
    lua_createtable(L, 1, 0);
    lua_replace(L, f->anchor_slot);
  }
  lua_pushvalue(L, index);
  lua_rawseti(L, f->anchor_slot, ++f->anchored);
  add(f, (gate_cell){.kind = kind, .integer = f->anchored});
  return NULL;
}

static const char *flat_table(flat *f, int index, int depth) {
  lua_State *L = f->L;
  index = lua_absindex(L, index);
  if (depth >= gate_depth) return "a table that is nested too deep, or holds itself";
  luaL_checkstack(L, 6, "table nested too deep");
  int32_t head = f->count;
  lua_Integer length = (lua_Integer)lua_rawlen(L, index);
  add(f, (gate_cell){.kind = gate_kind_table, .integer = length});
  for (lua_Integer i = 1; i <= length; i++) {
    lua_rawgeti(L, index, i);
    const char *fault = flat_value(f, -1, depth + 1);
    if (fault) return fault;
    lua_pop(L, 1);
  }
  size_t pairs = 0;
  for (lua_pushnil(L); lua_next(L, index);) {
    int in_array = lua_isinteger(L, -2) && lua_tointeger(L, -2) >= 1 && lua_tointeger(L, -2) <= length;
    if (!in_array) {
      const char *fault = flat_value(f, -2, depth + 1);
      if (!fault) fault = flat_value(f, -1, depth + 1);
      if (fault) return fault;
      pairs++;
    }
    lua_pop(L, 1);
  }
  f->cells[head].length = pairs;
  return NULL;
}

static const char *flat_userdata(flat *f, int index) {
  lua_State *L = f->L;
  int ours = 0;
  if (lua_getmetatable(L, index)) {
    ours = lua_rawgetp(L, -1, &gate_key_marker) != LUA_TNIL;
    lua_pop(L, 2);
  }
  gate_block *block = ours ? lua_touserdata(L, index) : NULL;
  if (!block || !block->object) return anchor(f, gate_kind_userdata, index);
  add(f, (gate_cell){.kind = gate_kind_object, .pointer = block->object, .integer = block->type});
  return NULL;
}

const char *flat_value(flat *f, int index, int depth) {
  lua_State *L = f->L;
  if (f->count >= gate_cells_limit) return "a table that is too large";
  switch (lua_type(L, index)) {
    case LUA_TBOOLEAN: add(f, (gate_cell){.kind = gate_kind_boolean, .integer = lua_toboolean(L, index)}); break;
    case LUA_TNUMBER:
      if (lua_isinteger(L, index)) add(f, (gate_cell){.kind = gate_kind_integer, .integer = lua_tointeger(L, index)});
      else add(f, (gate_cell){.kind = gate_kind_number, .number = lua_tonumber(L, index)});
      break;
    case LUA_TSTRING: {
      gate_cell cell = {.kind = gate_kind_string};
      cell.pointer = lua_tolstring(L, index, &cell.length);
      add(f, cell);
      break;
    }
    case LUA_TTABLE: return f->keeps_tables ? anchor(f, gate_kind_table_reference, index) : flat_table(f, index, depth);
    case LUA_TFUNCTION: return anchor(f, gate_kind_function, index);
    case LUA_TTHREAD: return anchor(f, gate_kind_thread, index);
    case LUA_TUSERDATA: return flat_userdata(f, lua_absindex(L, index));
    case LUA_TLIGHTUSERDATA: return anchor(f, gate_kind_userdata, index);
    default: add(f, (gate_cell){.kind = gate_kind_nil});
  }
  return NULL;
}

int32_t flat_anchor(flat *f) {
  if (!f->anchored) return gate_no_anchor;
  lua_pushvalue(f->L, f->anchor_slot);
  return luaL_ref(f->L, LUA_REGISTRYINDEX);
}

void gate_receive(lua_State *L, flat *f, void *receiver) {
  gate *g = gate_of(L);
  int32_t anchor = flat_anchor(f);
  lua_State *previous = g->current;
  g->current = L;
  g->host.receive(g->host.context, receiver, f->cells, f->count, anchor);
  g->current = previous;
}
