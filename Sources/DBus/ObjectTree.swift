/// Which paths there are: those that were added, and those on the way to them.
struct ObjectTree {
  private var children: [ObjectPath: Set<String>] = [:]

  /// Whether something is below `path`.
  func hasChildren(_ path: ObjectPath) -> Bool { children[path] != nil }

  /// Names of what is right below `path`, sorted as libdbus sorts them.
  func children(of path: ObjectPath) -> [String] { children[path]?.sorted() ?? [] }

  mutating func insert(_ path: ObjectPath) {
    var path = path
    while let parent = path.parent {
      let isNew = children[parent] == nil
      children[parent, default: []].insert(path.lastComponent)
      guard isNew else { return }
      path = parent
    }
  }

  /// `path` is no more; nor are those on the way to it, unless something else is there.
  mutating func remove(_ path: ObjectPath, isAlive: (ObjectPath) -> Bool) {
    var path = path
    while let parent = path.parent, !hasChildren(path), !isAlive(path) {
      children[parent]?.remove(path.lastComponent)
      if children[parent]?.isEmpty == true { children[parent] = nil }
      path = parent
    }
  }
}
