// A hook of Swift's own runtime, for which Swift has no name: `swift_task_enqueueGlobal_hook` (swift/Runtime/Concurrency.h).
#pragma once

typedef __attribute__((swiftcall)) void (*loop_hook)(void *job, void *original);
extern loop_hook swift_task_enqueueGlobal_hook;

/// `take` gets each job that would go to Swift's thread pool, on whatever thread that happens. Two pointers are passed
/// alike by C and by Swift, so the cast is safe.
static inline void loop_take_global_jobs(void (*take)(void *job, void *original)) {
  swift_task_enqueueGlobal_hook = (loop_hook)take;
}
