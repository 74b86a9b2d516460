import Foundation

/// An alternate stack for a thread's signal handlers, so that a handler can run even after the thread's own stack has
/// overflowed.
///
/// The system requires it per thread. The threads of the full screen have one. The threads that run tasks belong to the
/// system's pool, which provides no opportunity to install one. If one of their stacks overflows, no handler runs, and
/// the terminal isn't restored.
enum SignalStack {
    /// The size in bytes, sufficient for a handler and the registers of any processor.
    static let size = 1 << 16

    /// Installs an alternate stack for the calling thread, if it has none. It is never removed, so this is only for
    /// threads that live as long as the process.
    static func provide() {
        guard !isThere else { return }
        var stack = stack_t()
        // Never freed, because the system may run a handler on it for the lifetime of the thread.
        stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        stack.ss_size = numericCast(size)
        sigaltstack(&stack, nil)
    }

    /// Whether the calling thread has an alternate stack.
    static var isThere: Bool {
        var stack = stack_t()
        return sigaltstack(nil, &stack) == 0 && stack.ss_flags & Int32(SS_DISABLE) == 0
    }
}
