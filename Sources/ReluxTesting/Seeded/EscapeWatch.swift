import Relux
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Glibc
#endif

/// Detects the jobs that a driving thread hands to the global pool.
///
/// The runtime has a hook that sees each job on the thread that enqueues it. A job that comes from the thread that
/// drives a seed was started or resumed by the scenario, and has left its scheduler: a plain `Task {}` or a detached
/// task. The job itself continues as it would without the watch. The hook of the main actor is set too, but recent
/// runtimes don't call it.
///
/// A program that is linked statically may not export the hooks. Such jobs are then noticed only if they return.
///
/// - Isolation: Any thread.
enum EscapeWatch {
    // @convention(thin): the hooks are plain function pointers in Swift's calling convention.
    private typealias Enqueue = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Enqueue) -> Void

    private static let drivers = Lock<[UInt: EscapeCounter]>([:])

    /// The number of drivers. While there is none, a hook costs one load.
    private static let driverCount = Atomic<Int>(0)

    /// Whether the hooks have been found and set, which happens once in a process.
    private static let isInstalled: Bool = {
        let hook: Hook = { job, enqueue in
            note()
            enqueue(job)
        }
        let names = ["swift_task_enqueueGlobal_hook", "swift_task_enqueueMainExecutor_hook"]
        return names.map { set($0, to: hook) }.allSatisfy { $0 }
    }()

    /// Counts the jobs that the calling thread hands elsewhere for as long as the body runs.
    static func counting<Result>(into counter: EscapeCounter, _ body: () -> Result) -> Result {
        guard isInstalled else { return body() }
        let thread = CurrentThread.identity
        drivers.withLock { $0[thread] = counter }
        driverCount.add(1, ordering: .sequentiallyConsistent)
        defer {
            driverCount.subtract(1, ordering: .sequentiallyConsistent)
            drivers.withLock { _ = $0.removeValue(forKey: thread) }
        }
        return body()
    }

    /// Executes a closure whose jobs don't count, because the calling thread waits for them.
    static func excusing(_ body: () -> Void) {
        let thread = CurrentThread.identity
        let counter = drivers.withLock { $0.removeValue(forKey: thread) }
        body()
        if let counter { drivers.withLock { $0[thread] = counter } }
    }

    private static func note() {
        guard driverCount.load(ordering: .relaxed) > 0 else { return }
        drivers.withLock { $0[CurrentThread.identity] }?.increment()
    }

    /// Sets a hook of the runtime, unless somebody else has set it.
    private static func set(_ name: String, to hook: Hook) -> Bool {
        // unsafe pointer: the runtime exports a variable of this name, which holds a function of the type `Hook` or
        // nil. It is written once, before the first driver starts, and the word is read atomically on all platforms.
        guard let address = dlsym(dlopen(nil, RTLD_LAZY), name) else { return false }
        let variable = address.assumingMemoryBound(to: UInt.self)
        guard variable.pointee == 0 else { return false }
        // unsafeBitCast: a function of a C type to the word that stores it.
        variable.pointee = unsafeBitCast(hook, to: UInt.self)
        return true
    }
}

/// The number of jobs that have left a scheduler.
final class EscapeCounter: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .relaxed) }

    func increment() {
        count.add(1, ordering: .relaxed)
    }
}
