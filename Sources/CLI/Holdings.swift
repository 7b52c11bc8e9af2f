internal import BlueZ
internal import Central
internal import DBus
internal import EventLoop
internal import Glibc
internal import LuaRuntime

extension Host {
  /// What this program holds now, counted: for tests that nothing is left behind.
  var holdings: LuaTable {
    LuaTable(named: [
      ("memory", LuaValue(runtime.memory.bytes)),
      ("blocks", LuaValue(runtime.memory.blocks)),
      ("resident", LuaValue(residentBytes())),
      ("descriptors", LuaValue(openDescriptors())),
      ("match_rules", LuaValue(backend.connection?.matchRules ?? 0)),
      ("pending_replies", LuaValue(backend.connection?.pendingReplies ?? 0)),
      ("devices", LuaValue(central.deviceCount)),
    ])
  }
}

/// proc_pid_statm(5): the second number is of pages in memory.
private func residentBytes() -> Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var (size, resident) = (0, 0)
  return withUnsafeMutablePointer(to: &size) { size in
    withUnsafeMutablePointer(to: &resident) { resident in
      withVaList([size, resident]) { vfscanf(file, "%ld %ld", $0) } == 2 ? resident.pointee : 0
    }
  } * sysconf(Int32(_SC_PAGESIZE))
}

private func openDescriptors() -> Int {
  guard let folder = opendir("/proc/self/fd") else { return 0 }
  defer { closedir(folder) }
  var count = 0
  while readdir(folder) != nil { count += 1 }
  return count
}
