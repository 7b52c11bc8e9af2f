// The gate between Swift and Lua, and the only C of the project.
//
// Lua raises errors by longjmp, which must never cross a Swift frame. So nothing here raises through its caller: each
// function works inside a protected call and returns a status, and Lua's own functions stay out of sight.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct lua_State lua_State;

/// One Lua state with what the gate keeps beside it.
typedef struct gate gate;

typedef enum gate_kind : int32_t {
  gate_kind_nil,
  gate_kind_boolean,
  gate_kind_integer,
  gate_kind_number,
  gate_kind_string,
  gate_kind_table,      // `integer` array values follow, then `length` pairs of key and value
  gate_kind_error,      // a table of the same form, raised as an error of the host
  gate_kind_object,     // `pointer`: a Swift object, `integer`: its type
  gate_kind_function,   // these four are anchored: entry `integer` of the anchor
  gate_kind_table_reference,
  gate_kind_thread,
  gate_kind_userdata,
} gate_kind;

/// A plain value on its way from Lua to Swift. Pointers are valid during the callback that brings it.
typedef struct gate_cell {
  gate_kind kind;
  int64_t integer;
  double number;
  const void *pointer;
  size_t length;
} gate_cell;

typedef enum gate_status : int32_t {
  gate_ok,
  gate_waiting,         // the coroutine waits for the host
  gate_failed,          // `receive` got: error value, message, traceback or nil, fields or nil
  gate_out_of_memory,   // not even that could be told
} gate_status;

/// What a Swift function called from Lua wants to happen once it has returned.
typedef enum gate_answer : int32_t {
  gate_answer_values,   // return what was put
  gate_answer_error,    // raise what was put
  gate_answer_wait,     // suspend the coroutine; `operation` says on what
} gate_answer;

/// A call of a Swift function by Lua.
typedef struct gate_request {
  int32_t function;
  int32_t count;             // of arguments
  int32_t cell_count;        // more, where there are tables
  const gate_cell *cells;
  int32_t anchor;            // the callee's to release, or gate_no_anchor
  int32_t can_wait;
  const char *fault;         // NULL, or what is wrong with argument `count`, the last that came
  int64_t operation;         // out
} gate_request;

enum { gate_no_anchor = -2 };

/// Swift's side. No callback may let a jump through: they only call the functions below.
typedef struct gate_host {
  void *context;
  gate_answer (*call)(void *context, gate_request *request);
  void (*receive)(void *context, void *receiver, const gate_cell *cells, int32_t count, int32_t anchor);
  void (*release)(void *context, void *object);
  void (*warn)(void *context, const char *text, int32_t continues);
} gate_host;

// The state

/// NULL when there is not the memory for it. `limit` in bytes, 0 for none.
gate *gate_new(const gate_host *host, size_t limit);
/// Runs every finaliser and frees the state. Host functions called by them are refused. The gate itself stays.
void gate_close(gate *g);
/// Frees the gate. Close it before.
void gate_free(gate *g);

/// Calls `code` with what only the gate can make: the mark of a wait, `resume`, and whether a thread is a task.
gate_status gate_bootstrap(gate *g, const char *code, size_t length, const char *name, void *receiver);
/// Chunks whose name begins so are the host's own: errors name the line that called them.
void gate_set_library(gate *g, const char *prefix);

// Values on their way to Lua: put after a mark, used up by the next call that takes that mark.

size_t gate_mark(gate *g);
void gate_reset(gate *g, size_t mark);
void gate_put_nil(gate *g);
void gate_put_boolean(gate *g, int32_t value);
void gate_put_integer(gate *g, int64_t value);
void gate_put_number(gate *g, double value);
void gate_put_string(gate *g, const void *data, size_t length);
/// An error message that gets the position of the Lua caller in front.
void gate_put_message(gate *g, const void *data, size_t length);
/// `array` values and then `pairs` keys and values are to be put next.
void gate_put_table(gate *g, size_t array, size_t pairs);
void gate_put_error(gate *g, size_t pairs);
/// Takes over one count of a retained object.
void gate_put_object(gate *g, void *retained, int32_t type);
/// Whoever takes the values raises "not enough memory" instead.
void gate_put_failure(gate *g);
void gate_put_reference(gate *g, int32_t anchor, int64_t entry);

// What Lua gets from the host

typedef struct gate_function {
  const char *name;
  int32_t id;
  int32_t keeps_tables;   // tables come as references, not as copies
} gate_function;

/// `types`: numbers of types whose tables of methods the module shows as `NAME_methods`, for Lua to add to.
gate_status gate_module(gate *g, const char *name, const gate_function *functions, size_t count, const int32_t *types,
                        size_t type_count, void *receiver);
/// `index` and `newindex` are ids of functions called for fields that are not methods. The number goes to `type`.
gate_status gate_type(gate *g, const char *name, const gate_function *methods, size_t method_count,
                      const gate_function *operators, size_t operator_count, int32_t index, int32_t newindex,
                      int32_t *type, void *receiver);
gate_status gate_set_global(gate *g, const char *name, size_t mark, void *receiver);

// Running

/// Text only. `receive` gets the function.
gate_status gate_load(gate *g, const void *code, size_t length, const char *name, void *receiver);
/// `receive` gets the results, or the error.
gate_status gate_call(gate *g, int32_t anchor, int64_t entry, size_t mark, void *receiver);
/// `receive` gets the copy of an anchored table.
gate_status gate_copy(gate *g, int32_t anchor, int64_t entry, void *receiver);
/// A coroutine that will run the function; `thread` holds it until released.
gate_status gate_thread(gate *g, int32_t anchor, int64_t entry, int32_t *thread, void *receiver);
/// Starts or goes on with a coroutine. When it waited, the first value says whether the rest are results or an error.
gate_status gate_resume(gate *g, int32_t thread, size_t mark, int64_t *operation, void *receiver);
/// Closes a coroutine: its pending `<close>` values run, and can't wait.
gate_status gate_thread_close(gate *g, int32_t thread, void *receiver);
void gate_release(gate *g, int32_t anchor);
/// Whatever Lua code runs now raises "interrupted". The one function that a signal handler may call.
void gate_interrupt(gate *g);
void gate_collect(gate *g);

// Memory

typedef struct gate_memory {
  size_t bytes;
  size_t blocks;
  size_t limit;
} gate_memory;

gate_memory gate_memory_of(const gate *g);
/// For tests: in the next gate made, the n-th allocation fails, and the retry that follows. 0: none.
void gate_fail_allocation(uint64_t n);
/// Whether that allocation has come.
int32_t gate_allocation_failed(void);
/// Blocks that gates freed so far had left; 0 unless there is a bug.
int64_t gate_leaked_blocks(void);
