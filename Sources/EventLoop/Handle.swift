internal import CUV

/// Memory of a libuv handle. libuv wants it until its close callback has run, which may outlive the owner.
@LoopActor
final class Handle<Kind> {
  let pointer = UnsafeMutablePointer<Kind>.allocate(capacity: 1)
  private(set) var isClosed = false

  private var base: UnsafeMutablePointer<uv_handle_t> {
    UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: uv_handle_t.self)
  }

  /// Whom callbacks are for. Not retained: the owner closes the handle when it goes.
  var owner: AnyObject? {
    get { base.pointee.data.map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() } }
    set { base.pointee.data = newValue.map { Unmanaged.passUnretained($0).toOpaque() } }
  }

  static func owner<Owner: AnyObject>(of pointer: UnsafeMutablePointer<Kind>?, as: Owner.Type) -> Owner? {
    guard let pointer else { return nil }
    let base = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: uv_handle_t.self)
    return base.pointee.data.map { Unmanaged<Owner>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Ends the handle; its memory goes when libuv is done with it.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    base.pointee.data = nil
    uv_close(base) { UnsafeMutableRawPointer($0!).deallocate() }
  }

  /// Frees memory that libuv never knew.
  func free() {
    isClosed = true
    pointer.deallocate()
  }
}
