import Relux
import ReluxTesting
import TestFixtures
import Testing

/// Each of these used to overflow a small stack after some hundreds of levels.
@Suite("Deeply nested instances", .timeLimit(.minutes(10)))
struct DeepScopesTests {
    /// A tree with one branch: each instance has the next one as a child.
    private struct Level: Relux.Module, Identifiable {
        struct State: Relux.State {
            typealias Action = Never
            var next: Int?
        }

        let id: Int

        var states: [any Relux.State] { [State(next: id > 1 ? id - 1 : nil)] }
        var children: [Relux.Children] { [.optional(of: State.self, \.next) { id, _ in Level(id: id) }] }
    }

    private static let depth = 1_000

    /// Does something on a thread whose stack is small.
    private func onSmallStack<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws
        -> Value
    {
        let thread = ThreadExecutor()
        defer { thread.end() }
        return try await Task(executorPreference: thread.tasks) { try await body() }.value
    }

    private static func innermost(of store: Relux.Store) -> Relux.Scope {
        var scope = store.scope(of: Level.self, id: depth)
        for id in (1..<depth).reversed() { scope = scope.scope(of: Level.self, id: id) }
        return scope
    }

    @Test("children of children open, are reset, and close on a small stack")
    func children() async throws {
        let counts = try await onSmallStack {
            let store = try await Relux.Store { Level(id: Self.depth) }
            let opened = await store.read { $0.allStates.count }
            let found = try await Self.innermost(of: store).state(of: Level.State.self).next == nil
            await store.reset()
            let reset = await store.read { $0.allStates.count }
            await store.unregister(Level.self, id: Self.depth)
            let closed = await store.read { $0.allStates.count }
            return (opened, found, reset, closed)
        }

        #expect(counts == (Self.depth, true, Self.depth, 0))
    }

    /// Contains itself.
    private struct Mirror: Relux.Module, Identifiable {
        struct State: Relux.State {
            typealias Action = Never
            var reflected: [Int]
        }

        var id = 0
        /// How many there are in each.
        var count = 1

        var states: [any Relux.State] { [State(reflected: Array(0..<count))] }
        var children: [Relux.Children] {
            [.each(of: State.self, \.reflected) { [count] id, _ in Mirror(id: id, count: count) }]
        }
    }

    // One task does all of this, so there are no races to find, and the thread sanitizer would take minutes.
    #if !RELUX_TSAN
        @Test("children that contain themselves come to an end, which is reported", arguments: [1, 2])
        func endless(count: Int) async throws {
            let limits = Trace<Int>()
            let observer = HookObserver(onRefusal: { refusal in
                if case .childNotRegistered(.nestedWithoutEnd(_, let limit)) = refusal.reason { limits.note(limit) }
            })
            let store = try await Relux.Store(.init(observers: [observer])) {
                Mirror(count: count)
            }

            let limit = try #require(limits.entries.first)
            // Once for each child of the first one.
            #expect(limits.entries.count == count)
            #expect(await store.read { $0.allStates.count } == limit * count + 1)
            await store.unregister(Mirror.self, id: 0)
            #expect(await store.read { $0.allStates.isEmpty })
        }
    #endif

    @Test("replacing a module replaces each of the instances inside once, on a small stack")
    func replacement() async throws {
        let observer = RecordingObserver()
        let left = try await onSmallStack {
            let store = try await Relux.Store(.init(observers: [observer])) { Level(id: Self.depth) }
            try await store.replace(Level(id: Self.depth))
            return await store.read { $0.allStates.count }
        }

        #expect(left == Self.depth)
        #expect(observer.events.count { if case .moduleReplaced = $0 { true } else { false } } == Self.depth)
    }

    @Test("scopes are compared, hashed, described, and looked up on a small stack")
    func scopes() async throws {
        let (isEqual, count, parts) = try await onSmallStack {
            let store = Relux.Store()
            let scopes = (Self.innermost(of: store), Self.innermost(of: store))
            await scopes.0.dispatch(Chat.Finished())
            return (scopes.0 == scopes.1, Set([scopes.0, scopes.1]).count, scopes.0.description.split(separator: "/"))
        }

        #expect(isEqual)
        #expect(count == 1)
        #expect(parts.count == Self.depth)
        #expect(parts.first?.hasSuffix("Level[\(Self.depth)]") == true)
        #expect(parts.last?.hasSuffix("Level[1]") == true)
    }
}
