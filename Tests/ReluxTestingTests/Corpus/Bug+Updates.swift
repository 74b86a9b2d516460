import Relux
import ReluxTesting
import Testing

private let quick: ClosedRange<Duration> = .zero ... .milliseconds(20)

private struct Wrong: Error {}

extension Bug {
    /// Bugs of changes that are lost, torn, or in the wrong order.
    static let updates: [Bug] = [
        Bug("An update is lost between reading and writing") { world, isCorrected in
            let store = try await Lab.store(in: world) { _, context in
                if isCorrected {
                    await context.dispatch(Lab.Board.Action.add("count", 1))
                    return
                }
                let count = try await context.state(of: Lab.Board.self)["count"]
                await context.dispatch(Lab.Board.Action.set("count", count + 1))
            }
            world.finally("both count", of: Lab.Board.self) { $0["count"] == 2 }
            for _ in 0..<2 { world.task { await store.dispatch(Lab.Do("count")) } }
        },

        Bug("A check is no longer true when it is acted upon") { world, isCorrected in
            let store = try await Lab.store(in: world, policy: { _ in isCorrected ? .serial : .concurrent }) {
                _, context in
                guard try await context.state(of: Lab.Board.self)["taken"] == 0 else { return }
                try await world.latency(quick)
                await context.dispatch(Lab.Board.Action.add("taken", 1))
            }
            world.always("the seat is taken once", of: Lab.Board.self) { $0["taken"] <= 1 }
            for _ in 0..<3 { world.task { await store.dispatch(Lab.Do("book")) } }
        },

        Bug("A button submits twice") { world, isCorrected in
            let store = try await Lab.store(in: world, policy: { _ in isCorrected ? .leading : .concurrent }) {
                _, context in
                await context.dispatch(contentsOf: [Lab.Board.Action.add("active", 1), .set("busy", 1)])
                try await world.latency(quick)
                await context.dispatch(contentsOf: [Lab.Board.Action.add("active", -1), .set("busy", 0)])
            }
            world.always("one submission at a time", of: Lab.Board.self) { $0["active"] <= 1 }
            for _ in 0..<2 {
                world.task {
                    try await world.latency(quick)
                    // The button is disabled while something is being submitted.
                    if try await store.state(of: Lab.Board.self)["busy"] == 0 { await store.dispatch(Lab.Do("submit")) }
                }
            }
        },

        Bug("The last change isn't saved") { world, isCorrected in
            let saved = Shared(0)
            let store = try await Lab.store(in: world, policy: { _ in isCorrected ? .serial : .leading }) { work, _ in
                try await world.latency(quick)
                saved.value = work.value
            }
            for value in 1...3 {
                await store.dispatch(Lab.Do("save", value))
                try await world.latency(quick)
            }
            await world.settled()
            if saved.value != 3 { throw Wrong() }
        },

        Bug("Two saves arrive in the wrong order") { world, isCorrected in
            let saved = Shared(0)
            let store = try await Lab.store(in: world, policy: { _ in isCorrected ? .serial : .concurrent }) {
                work, _ in
                try await world.latency(quick)
                saved.value = work.value
            }
            for value in 1...2 { await store.dispatch(Lab.Do("save", value)) }
            await world.settled()
            if saved.value != 2 { throw Wrong() }
        },

        Bug("A rollback undoes what others have changed since") { world, isCorrected in
            let accepted = Shared(0)
            let store = try await Lab.store(in: world) { _, context in
                let before = try await context.state(of: Lab.Board.self)["likes"]
                await context.dispatch(Lab.Board.Action.add("likes", 1))
                try await world.latency(quick)
                guard world.fails(0.4) else { return accepted.value += 1 }
                await context.dispatch(isCorrected ? Lab.Board.Action.add("likes", -1) : .set("likes", before))
            }
            world.finally("the accepted ones are shown", of: Lab.Board.self) { $0["likes"] == accepted.value }
            for _ in 0..<3 {
                await store.dispatch(Lab.Do("like"))
                try await world.latency(quick)
            }
        },

        Bug("The two halves of a transfer are seen apart") { world, isCorrected in
            let store = try await Lab.store(in: world) { _, context in
                let halves = [Lab.Board.Action.add("mine", -1), .add("yours", 1)]
                if isCorrected {
                    await context.dispatch(contentsOf: halves)
                } else {
                    for half in halves { await context.dispatch(half) }
                }
            }
            world.always("nothing is lost", of: Lab.Board.self) { $0["mine"] + $0["yours"] == 0 }
            await store.dispatch(Lab.Do("transfer"))
        },
    ]
}
