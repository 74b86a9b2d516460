import Relux
import ReluxTesting
import Testing

private let quick: ClosedRange<Duration> = .zero ... .milliseconds(20)

private struct Late: Error {}

extension Bug {
    /// Bugs of answers that come late, twice, or never.
    static let responses: [Bug] = [
        Bug("An old response overwrites a newer one") { world, isCorrected in
            let store = try await Lab.store(in: world, policy: { _ in isCorrected ? .latest : .concurrent }) {
                work, context in
                try await world.latency(quick)
                await context.dispatch(Lab.Board.Action.set("answer", work.value))
            }
            world.finally("the answer is the last one", of: Lab.Board.self) { $0["answer"] == 2 }
            await store.dispatch(Lab.Do("ask", 1))
            try await world.latency(quick)
            await store.dispatch(Lab.Do("ask", 2))
        },

        Bug("A reply is missed, because the stream is created after the request") { world, isCorrected in
            let store = try await Lab.store(in: world) { work, context in
                guard work.name == "ask" else {
                    await context.dispatch(Lab.Board.Action.mark("reply"))
                    return
                }
                if !isCorrected { await context.dispatch(Lab.Do("answer")) }
                let replies = context.actionStream(of: Lab.Board.Action.self)
                if isCorrected { await context.dispatch(Lab.Do("answer")) }
                for await _ in replies { break }
            }
            await store.dispatch(Lab.Do("ask"))
        },

        Bug("A cancelled load leaves the state loading") { world, isCorrected in
            let store = try await Lab.store(in: world, cleanup: isCorrected ? .set("loading", 0) : nil) { _, context in
                await context.dispatch(Lab.Board.Action.set("loading", 1))
                try await world.latency(quick)
                await context.dispatch(Lab.Board.Action.set("loading", 0))
            }
            world.finally("nothing loads", of: Lab.Board.self) { $0["loading"] == 0 }
            await store.dispatch(Lab.Do("load"))
            try await world.latency(quick)
            await store.cancel(Lab.Saga.self)
        },

        Bug("A failed load leaves the state loading") { world, isCorrected in
            world.expectFailure(Late.self)
            let store = try await Lab.store(in: world) { _, context in
                await context.dispatch(Lab.Board.Action.set("loading", 1))
                let fails = world.fails(0.2)
                if !fails || isCorrected { await context.dispatch(Lab.Board.Action.set("loading", 0)) }
                if fails { throw Late() }
            }
            world.finally("nothing loads", of: Lab.Board.self) { $0["loading"] == 0 }
            await store.dispatch(Lab.Do("load"))
        },

        Bug("A timeout is reported although the answer has come") { world, isCorrected in
            let store = try await Lab.store(in: world) { _, context in
                guard isCorrected else {
                    async let alarm: Void = {
                        try await context.sleep(for: .milliseconds(10))
                        await context.dispatch(Lab.Board.Action.set("failed", 1))
                    }()
                    try await world.latency(quick)
                    await context.dispatch(Lab.Board.Action.set("answered", 1))
                    return try await alarm
                }
                do {
                    try await context.timeout(after: .milliseconds(10)) { _ in try await world.latency(quick) }
                    await context.dispatch(Lab.Board.Action.set("answered", 1))
                } catch is Relux.TimeoutError {
                    await context.dispatch(Lab.Board.Action.set("failed", 1))
                }
            }
            world.always("not both", of: Lab.Board.self) { $0["answered"] + $0["failed"] < 2 }
            await store.dispatch(Lab.Do("ask"))
        },

        Bug("A retry repeats what the server has already done") { world, isCorrected in
            let orders = Shared(0)
            let keys = Shared<Set<Int>>([])
            let store = try await Lab.store(in: world) { work, _ in
                for attempt in 0..<5 {
                    if !isCorrected || !keys.value.contains(work.value) { orders.value += 1 }
                    keys.value.insert(work.value)
                    // The response may be lost.
                    if attempt == 4 || !world.fails(0.3) { return }
                    try await world.latency(quick)
                }
            }
            await store.dispatch(Lab.Do("order", 7)).finished()
            if orders.value != 1 { throw Late() }
        },

        Bug("An event that is delivered twice counts twice") { world, isCorrected in
            let store = try await Lab.store(in: world) { work, context in
                let id = "event \(work.value)"
                let isKnown = try await context.state(of: Lab.Board.self)[id] > 0
                if isCorrected && isKnown { return }
                await context.dispatch(contentsOf: [Lab.Board.Action.set(id, 1), .add("unread", 1)])
            }
            world.finally("three are unread", of: Lab.Board.self) { $0["unread"] == 3 }
            for event in 1...3 {
                repeat { await store.dispatch(Lab.Do("event", event)).finished() } while world.fails(0.1)
            }
        },
    ]
}
