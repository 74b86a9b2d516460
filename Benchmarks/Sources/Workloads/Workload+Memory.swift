import Baselines
import Opaque
import Relux
import Synchronization

// Each operation of these workloads leaves one thing behind until the session is closed. Things that are created once
// per process, such as type metadata, are created during preparation.

extension Workload {
    /// Verifies that the probe counts blocks: each operation creates one object and releases it at once.
    package static let makingAnObject = Workload("an object made and let go") {
        Session { operations in
            for index in 0..<operations {
                let object = Object(index)
                relux_opaque_use(Unmanaged.passUnretained(object).toOpaque())
                withExtendedLifetime(object) {}
            }
        }
    }

    /// Verifies that the probe counts bytes: each operation allocates one block and keeps it.
    package static let keepingABlock = Workload("a block of 1,000 bytes kept") {
        let blocks = Mutex(BlockChain())
        return Session { operations in
            for _ in 0..<operations { blocks.withLock { $0.add(byteCount: 1_000) } }
        } close: {
            blocks.withLock { $0.removeAll() }
        }
    }

    /// Registered modules, each with one small state and one saga.
    package static let keepingModules = Workload("a registered module kept") {
        let modules = ManyModules.list(1_000)
        let store = Relux.Store()
        let warm = Relux.Store()
        for module in modules { try await warm.register(module) }
        return Session { operations in
            for module in modules.prefix(operations) { try await store.register(module) }
        } close: {
            await store.shutdown()
            // If this store were shut down earlier, the other one would reuse the memory it frees, and the resident
            // memory would reveal nothing.
            await warm.shutdown()
        }
    }

    /// Tasks that wait for the next value of a state.
    package static let keepingReaders = Workload("a waiting reader kept") {
        let store = try await Relux.Store { CounterModule() }
        let values = store.values(of: Counter.self)
        let warm = Readers(1, of: values)
        await warm.waitUntilWaiting(in: store)
        await warm.end()
        let all = Kept<Readers>()
        return Session { operations in
            let readers = Readers(operations, of: values)
            all.add(readers)
            await readers.waitUntilWaiting(in: store)
        } close: {
            for readers in all.takeAll() { await readers.end() }
        }
    }

    /// Runs that wait.
    package static let keepingRuns = Workload("a run in flight kept") {
        let store = try await Relux.Store { GateModule() }
        let gate = Gate()
        return Session { operations in
            for _ in 0..<operations { await store.dispatch(WaitAtGate(gate: gate)) }
            await gate.waitForArrivals(operations)
        } close: {
            gate.open()
            await store.shutdown()
        }
    }

    /// Tasks that wait.
    package static let keepingTasks = Workload("a task in flight kept") {
        let gate = Gate()
        let all = Kept<Task<Void, Never>>()
        return Session { operations in
            for _ in 0..<operations { all.add(Task { await gate.pass() }) }
            await gate.waitForArrivals(operations)
        } close: {
            gate.open()
            for task in all.takeAll() { await task.value }
        }
    }
}

/// An object that takes one heap block.
private final class Object {
    private let number: Int

    init(_ number: Int) { self.number = number }
}

/// A linked list of heap blocks.
///
/// Each block stores the address of the previous one, so that nothing else is allocated to keep them.
private struct BlockChain: Sendable {
    // The chain owns its blocks exclusively, and every use of the chain is guarded by a lock.
    nonisolated(unsafe) private var last: UnsafeMutableRawPointer?

    mutating func add(byteCount: Int) {
        let block = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 16)
        block.storeBytes(of: last, as: UnsafeMutableRawPointer?.self)
        last = block
    }

    mutating func removeAll() {
        while let block = last {
            last = block.load(as: UnsafeMutableRawPointer?.self)
            block.deallocate()
        }
    }
}

/// The elements that a session keeps until it is closed.
private final class Kept<Element>: Sendable {
    // The elements come from and return to a single session, which uses them in one task at a time.
    private struct Content: @unchecked Sendable { var elements: [Element] = [] }

    private let content = Mutex(Content())

    func add(_ element: sending Element) {
        let element = Content(elements: [element])
        content.withLock { $0.elements += element.elements }
    }

    func takeAll() -> [Element] {
        content.withLock { content in
            defer { content.elements = [] }
            return content
        }.elements
    }
}
