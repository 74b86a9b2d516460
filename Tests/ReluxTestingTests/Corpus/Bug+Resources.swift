import Relux
import ReluxTesting
import Testing

private let quick: ClosedRange<Duration> = .zero ... .milliseconds(20)

private struct Wrong: Error {}

extension Bug {
    /// Bugs of what several tasks share: caches, tokens, connections.
    static let resources: [Bug] = [
        Bug("Everybody refreshes the token") { world, isCorrected in
            let store = try await Lab.store(in: world, policy: { $0.name == "refresh" ? .serial : .concurrent }) {
                work, context in
                let isExpired = try await context.state(of: Lab.Board.self)["token"] == 0
                switch work.name {
                case "refresh" where isExpired || !isCorrected:
                    try await world.latency(quick)
                    await context.dispatch(contentsOf: [Lab.Board.Action.add("refreshes", 1), .set("token", 1)])
                case "request" where isExpired:
                    try await context.perform(Lab.Do("refresh"))
                default: break
                }
            }
            world.finally("one refresh is enough", of: Lab.Board.self) { $0["refreshes"] == 1 }
            for _ in 0..<3 { world.task { await store.dispatch(Lab.Do("request")) } }
        },

        Bug("What a signed-out user has loaded is kept") { world, isCorrected in
            let cache = Shared<String?>(nil)
            let store = try await Lab.store(in: world) { _, _ in
                try await world.latency(quick)
                cache.value = "secret"
            }
            await store.dispatch(Lab.Do("load"))
            try await world.latency(quick)
            // A reset cancels the runs and waits for them.
            if isCorrected { await store.reset() }
            cache.value = nil
            await world.settled()
            if cache.value != nil { throw Wrong() }
        },

        Bug("A page is loaded twice") { world, isCorrected in
            let store = try await Lab.store(in: world, policy: { _ in isCorrected ? .leading : .concurrent }) {
                _, context in
                let page = try await context.state(of: Lab.Board.self)["pages"]
                try await world.latency(quick)
                await context.dispatch(contentsOf: [Lab.Board.Action.mark("page \(page)"), .add("pages", 1)])
            }
            world.always("each page is there once", of: Lab.Board.self) { Set($0.marks).count == $0.marks.count }
            for _ in 0..<3 {
                await store.dispatch(Lab.Do("more"))
                try await world.latency(quick)
            }
        },

        Bug("A fetch that began before the invalidation fills the cache") { world, isCorrected in
            let server = Shared(1)
            let generation = Shared(0)
            let cache = Shared<Int?>(nil)
            let store = try await Lab.store(in: world) { _, _ in
                let start = generation.value
                let value = server.value
                try await world.latency(quick)
                if !isCorrected || generation.value == start { cache.value = value }
            }
            await store.dispatch(Lab.Do("fetch"))
            try await world.latency(quick)
            server.value = 2
            generation.value += 1
            cache.value = nil
            await world.settled()
            if let value = cache.value, value != server.value { throw Wrong() }
        },

        Bug("A connection is closed while others use it") { world, isCorrected in
            let users = Shared(0)
            let isOpen = Shared(false)
            let store = try await Lab.store(in: world) { _, _ in
                users.value += 1
                isOpen.value = true
                try await world.latency(quick)
                if !isOpen.value { throw Wrong() }
                users.value -= 1
                if !isCorrected || users.value == 0 { isOpen.value = false }
            }
            for _ in 0..<2 { world.task { await store.dispatch(Lab.Do("use")) } }
        },

        Bug("Something isn't ready, because its task has been held back") { world, isCorrected in
            let isWarm = Shared(false)
            let warming = world.task { isWarm.value = true }
            world.task {
                if isCorrected { try await warming.value }
                // Waits for nothing: each is a point at which the seed decides who continues.
                for _ in 0..<20 { await Task.yield() }
                if !isWarm.value { throw Wrong() }
            }
        },
    ]
}
