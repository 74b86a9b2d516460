import Baselines
import Opaque
import Relux
import Synchronization

// Each operation of these leaves one thing behind, until the session is closed. What is made once a process, such as
// the metadata of types, is made before.

extension Workload {
    /// Shows that the probe counts blocks: one object an operation, let go at once.
    package static let makingAnObject = Workload("an object made and let go") {
        Session { operations in
            for index in 0..<operations {
                let object = Object(index)
                relux_opaque_use(Unmanaged.passUnretained(object).toOpaque())
                withExtendedLifetime(object) {}
            }
        }
    }

    /// Shows that the probe counts bytes: one block an operation, kept.
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
            // Not before: what it gave back, the other one would take, and the resident memory would tell nothing.
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

/// One block of the heap.
private final class Object {
    private let number: Int

    init(_ number: Int) { self.number = number }
}

/// Blocks of the heap, each of which holds the address of the one before, so that nothing else is needed to keep them.
private struct BlockChain: Sendable {
    // The blocks belong to the chain alone, which is behind a lock.
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

/// What a session holds until it is closed.
private final class Kept<Element>: Sendable {
    // Elements come from and go to one session, which uses them in one task at a time.
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
