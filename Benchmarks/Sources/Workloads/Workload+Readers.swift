import Baselines
import Opaque
import Relux

extension Workload {
    /// Dispatches that don't concern the waiting readers.
    package static func dispatch(besideReaders count: Int) -> Workload {
        Workload("dispatch beside readers of another state: \(count)") {
            let store = try await Relux.Store {
                CounterModule()
                BystanderModule()
            }
            let readers = Readers(count, of: store.values(of: Bystander.self))
            await readers.waitUntilWaiting(in: store)
            return Session { operations in
                await repeatDispatch(to: store, operations)
            } close: {
                await readers.end()
            }
        }
    }

    /// Actions that change the state from which all readers select, but none of what they select.
    ///
    /// - Parameter size: The number of actions in a step.
    package static func dispatch(besideSelections count: Int, inBatchesOf size: Int = 1) -> Workload {
        Workload("an action of \(size) beside \(count) selections that stay the same", step: size) {
            let store = try await Relux.Store { CounterModule() }
            let readers = Readers(count, of: store.values(of: Counter.self) { _ in 0 })
            await readers.waitUntilWaiting(in: store)
            let batch = (0..<size).map { Counter.Action.add($0) }
            return Session { operations in
                for _ in 0..<operations / size {
                    await store.dispatch(contentsOf: batch)
                    relux_opaque()
                }
            } close: {
                await readers.end()
            }
        }
    }

    /// Dispatches that each wake all readers.
    ///
    /// Only the dispatch is timed. The next one follows when all readers have received the value.
    package static func dispatch(waking count: Int) -> Workload {
        Workload("dispatch that wakes readers: \(count)") {
            let store = try await Relux.Store { CounterModule() }
            let readers = Readers(count, of: store.values(of: Counter.self))
            await readers.waitUntilWaiting(in: store)
            return Session.timingItself { operations in
                var total = Duration.zero
                for index in 0..<operations {
                    let start = ContinuousClock.now
                    await store.dispatch(Counter.Action.add(index))
                    relux_opaque()
                    total += start.duration(to: .now)
                    await readers.waitUntilWaiting(in: store)
                }
                return total
            } close: {
                await readers.end()
            }
        }
    }

    /// From an actor call and a yield to an asynchronous stream to the reader's line that receives the value.
    package static let streamToNextLine = Workload("from a bare call and a yield to the reader's next line") {
        let (values, source) = AsyncStream.makeStream(of: Counter.Action.self)
        let bare = BareActor()
        let readers = Readers(1, of: values)
        return Session { operations in
            for index in 0..<operations {
                await bare.apply(.add(index))
                source.yield(.add(index))
                await readers.waitForValues()
            }
        } close: {
            source.finish()
            await readers.end()
        }
    }

    /// From a dispatch to the reader's line that receives the new value.
    package static let dispatchToNextLine = Workload("from dispatch to the reader's next line") {
        let store = try await Relux.Store { CounterModule() }
        let readers = Readers(1, of: store.values(of: Counter.self))
        await readers.waitUntilWaiting(in: store)
        return Session { operations in
            for index in 0..<operations {
                await store.dispatch(Counter.Action.add(index))
                await readers.waitForValues()
            }
        } close: {
            await readers.end()
        }
    }
}
