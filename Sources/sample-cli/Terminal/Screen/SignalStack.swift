import Foundation

/// Memory in which a thread's handlers of signals run, so that one whose own stack has overflowed can still be
/// heard of.
///
/// The system asks for it thread by thread. Those of the full screen have it; the threads that run tasks belong to the
/// system's pool, which offers no moment to give it to them: where one of their stacks overflows, no handler runs, and
/// the terminal stays as it is.
enum SignalStack {
    /// More than a handler needs, with the registers of any processor.
    static let size = 1 << 16

    /// Gives the calling thread one, if it has none. It is never taken back: only for threads that live as long as the
    /// process.
    static func provide() {
        guard !isThere else { return }
        var stack = stack_t()
        // Never freed: the system may run a handler on it for as long as there is the thread.
        stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        stack.ss_size = numericCast(size)
        sigaltstack(&stack, nil)
    }

    /// Whether the calling thread has one.
    static var isThere: Bool {
        var stack = stack_t()
        return sigaltstack(nil, &stack) == 0 && stack.ss_flags & Int32(SS_DISABLE) == 0
    }
}
