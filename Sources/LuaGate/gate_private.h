// What the files of the gate share.
#pragma once
#include <lua5.4/lauxlib.h>
#include <lua5.4/lua.h>
#include <lua5.4/lualib.h>
#include <string.h>

#include "LuaGate.h"

struct gate {
  gate_host host;
  lua_State *main;
  lua_State *current;           // whose protected calls Swift's requests use
  lua_State *volatile running;  // whose code runs, for gate_interrupt
  int closing;
  size_t bytes, blocks, limit;
  uint64_t allocations, fail_at;  // for tests
  int64_t budget, left;  // of instructions: for each call, and what the one under way still has
  int counts;            // a call with a budget is under way

  // Values on their way to Lua. Offsets, not pointers: a finaliser that runs meanwhile may move the arena.
  char *arena;
  size_t top, capacity;
  size_t objects;     // retained objects in the arena
  size_t references;  // to anchors
  int32_t *released;  // anchors let go of while the arena referred to some
  size_t released_count, released_capacity;
  int overflow;    // something could not be put
  int defers_where;  // the coroutine that gets the error adds its position itself

  const char *library;
};

// The first bytes of a userdata of ours.
typedef struct gate_block {
  void *object;  // NULL once collected
  int32_t type;
} gate_block;

// Keys of the registry, by address.
extern const char gate_key_marker, gate_key_objects, gate_key_types, gate_key_methods, gate_key_tasks, gate_key_error,
    gate_key_traceback, gate_mark_of_wait;

static inline gate *gate_of(lua_State *L) { return *(gate **)lua_getextraspace(L); }

// Flattening: values of Lua as cells.

enum { gate_fixed_cells = 16, gate_depth = 32, gate_cells_limit = 1 << 20 };

typedef struct flat {
  lua_State *L;
  gate_cell *cells;
  int32_t count, capacity;
  int slot;  // stack index of the userdata with the cells, once there are many
  int anchor_slot;
  int anchored;
  int keeps_tables;
  gate_cell fixed[gate_fixed_cells];
} flat;

// These raise when memory runs out. Two stack slots are taken.
void flat_begin(flat *f, lua_State *L, int keeps_tables);
// NULL, or what is wrong with the value.
const char *flat_value(flat *f, int index, int depth);
// The last thing that raises: after it the anchor is the callee's.
int32_t flat_anchor(flat *f);

void gate_receive(lua_State *L, flat *f, void *receiver);

// Pushes all values from `mark` to `end`; returns how many. Raises.
int gate_push_all(lua_State *L, size_t mark, size_t end);
int gate_all_plain(const gate *g, size_t mark);
int gate_is_message(const gate *g, size_t mark);  // whether false and a plain message were put
void gate_push_plain(lua_State *L, gate *g, size_t mark);

void gate_push_where(lua_State *L);
int gate_trampoline(lua_State *L);
void gate_push_function(lua_State *L, const gate_function *function);
void gate_release_late(gate *g);
void gate_add_where(lua_State *L);  // to the error of the host on top
int gate_is_task(lua_State *L, int index);
int gate_resume_script(lua_State *L);
int gate_task_of(lua_State *L);
void gate_hook_stop(lua_State *L, lua_Debug *at);
void gate_hook_count(lua_State *L, lua_Debug *at);
enum { gate_budget_step = 1000, gate_bytes_an_instruction = 64 };
gate_status gate_protect(gate *g, lua_CFunction body, void *job, void *receiver);
gate_status gate_tell(lua_State *L, lua_State *from, void *receiver);  // the error on top, which is popped
int gate_keep_traceback(lua_State *L);  // a message handler
