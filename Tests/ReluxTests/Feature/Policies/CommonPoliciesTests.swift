import Relux
import ReluxTesting
import Testing

/// What all policies promise. They differ in what becomes of a trigger that meets an active run with its id.
@Suite("Law 9: what policies have in common", .timeLimit(.minutes(10)))
struct CommonPoliciesTests {
    /// What becomes of a second trigger while the run of the first one is active.
    enum Meeting: Sendable {
        case waits, supersedes, isDropped, joins, runsBeside

        var isWaiting: Bool { self == .waits || self == .joins }
    }

    struct Policy: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let meeting: Meeting
        let make: @Sendable (_ id: Int?) -> Relux.Policy

        init(_ name: String, _ meeting: Meeting, _ make: @escaping @Sendable (_ id: Int?) -> Relux.Policy) {
            (testDescription, self.meeting, self.make) = (name, meeting, make)
        }
    }

    static let policies = [
        Policy("concurrent", .runsBeside) { _ in .concurrent },
        Policy("concurrent, limited to 1", .waits) { id in
            id.map { .concurrent(limit: 1, id: $0) } ?? .concurrent(limit: 1)
        },
        Policy("serial", .waits) { id in id.map { .serial(id: $0) } ?? .serial },
        Policy("conflated", .waits) { id in id.map { .conflated(id: $0) } ?? .conflated },
        Policy("latest", .supersedes) { id in id.map { .latest(id: $0) } ?? .latest },
        Policy("latest, limited to 2", .runsBeside) { id in
            id.map { .latest(limit: 2, id: $0) } ?? .latest(limit: 2)
        },
        Policy("leading", .isDropped) { id in id.map { .leading(id: $0) } ?? .leading },
        Policy("leading, limited to 2", .runsBeside) { id in
            id.map { .leading(limit: 2, id: $0) } ?? .leading(limit: 2)
        },
        Policy("shared", .joins) { id in id.map { .shared(id: $0) } ?? .shared },
    ]

    static let waitingPolicies = policies.filter { $0.meeting == .waits }

    // MARK: All policies

    @Test("each id has its own lane and its own limit, and so have the triggers without an id", arguments: policies)
    func ids(_ policy: Policy) async throws {
        let jobs = try await JobStore(gated: ["first", "other id", "no id"])
        let first = await jobs.performing("first", policy.make(1))
        let others = await [
            jobs.performing("other id", policy.make(2)), jobs.performing("no id", policy.make(nil)),
        ]
        // This would hang if one of them waited for another one or was dropped.
        for name in ["first", "other id", "no id"] { await jobs.arrival(of: name) }

        let second = await jobs.performing("second", policy.make(1))
        if !policy.meeting.isWaiting { _ = await second.value }
        let log = try await jobs.finalLog().filter { $0.hasPrefix("first") || $0.hasPrefix("second") }

        for other in others { #expect(await other.value == .returned) }
        let endings = await [first.value, second.value]
        switch policy.meeting {
        case .waits:
            #expect(endings == [.returned, .returned])
            #expect(log == ["first+", "first-", "second+", "second-"])
        case .supersedes:
            #expect(endings == [.superseded, .returned])
            #expect(log == ["first+", "second+", "second-"])
        case .isDropped:
            #expect(endings == [.returned, .dropped])
            #expect(log == ["first+", "first-"])
        case .joins:
            #expect(endings == [.returned, .returned])
            #expect(log == ["first+", "first-"])
        case .runsBeside:
            #expect(endings == [.returned, .returned])
            #expect(log == ["first+", "second+", "second-", "first-"])
        }
    }

    /// Fills a limit of 2 but for one run.
    private func fill(_ policy: Policy, in jobs: JobStore) async -> Task<Ending, Never>? {
        guard policy.meeting == .runsBeside else { return nil }
        let beside = await jobs.performing("beside", policy.make(nil))
        await jobs.arrival(of: "beside")
        return beside
    }

    @Test("the next trigger starts a run once the active one has ended, successfully or not", arguments: policies)
    func ended(_ policy: Policy) async throws {
        let jobs = try await JobStore(gated: ["beside"]) { job, _ in if job.name == "bad" { throw TestFailure() } }
        let beside = await fill(policy, in: jobs)

        let endings = await [
            jobs.perform("good", policy.make(nil)), jobs.perform("bad", policy.make(nil)),
            jobs.perform("next", policy.make(nil)),
        ]
        let log = try await jobs.finalLog()

        #expect(endings == [.returned, .failed(TestFailure()), .returned])
        #expect(log.filter { !$0.hasPrefix("beside") } == ["good+", "good-", "bad+", "next+", "next-"])
        if let beside { #expect(await beside.value == .returned) }
    }

    @Test("a run that performs its own id never waits for itself", arguments: policies)
    func selfPerform(_ policy: Policy) async throws {
        let inner = Trace<Ending>()
        let jobs = try await JobStore { job, context in
            guard job.name == "outer" else { return }
            inner.note(await Ending.of { try await context.perform(Job("inner", policy.make(nil))) })
        }

        let outer = await jobs.perform("outer", policy.make(nil))
        let log = try await jobs.finalLog()

        let cycles = jobs.observer.refusals.entries.compactMap(\.cycle)
        #expect(cycles.count == (policy.meeting.isWaiting ? 1 : 0))
        #expect(outer == (policy.meeting == .supersedes ? .superseded : .returned))
        switch policy.meeting {
        case .waits:
            #expect(inner.entries == [.cycle(waiting: "outer", on: "inner")])
            #expect(log == ["outer+", "cleaned up inner", "outer-"])
        case .joins:
            #expect(inner.entries == [.cycle(waiting: "outer", on: "inner")])
            #expect(log == ["outer+", "outer-"])
        case .supersedes:
            // The child has succeeded, but the run has been superseded.
            #expect(inner.entries == [.returned])
            #expect(log == ["outer+", "inner+", "inner-"])
        case .isDropped:
            #expect(inner.entries == [.dropped])
            #expect(log == ["outer+", "outer-"])
        case .runsBeside:
            #expect(inner.entries == [.returned])
            #expect(log == ["outer+", "inner+", "inner-", "outer-"])
        }
    }

    @Test("a limit below 1 counts as 1, and latest and leading have that limit", arguments: [1, 0, -1, Int.min])
    func smallestLimit(limit: Int) {
        #expect(Relux.Policy.concurrent(limit: limit) == .concurrent(limit: 1))
        #expect(Relux.Policy.concurrent(limit: limit, id: "a") == .concurrent(limit: 1, id: "a"))
        #expect(Relux.Policy.concurrent(limit: 1, id: "a") != .concurrent(limit: 2, id: "a"))
        #expect(Relux.Policy.latest(limit: limit) == .latest)
        #expect(Relux.Policy.latest(limit: limit, id: "a") == .latest(id: "a"))
        #expect(Relux.Policy.latest(limit: 2, id: "a") != .latest(id: "a"))
        #expect(Relux.Policy.leading(limit: limit) == .leading)
        #expect(Relux.Policy.leading(limit: limit, id: "a") == .leading(id: "a"))
        #expect(Relux.Policy.leading(limit: 2, id: "a") != .leading(id: "a"))
    }

    // MARK: Policies under which a trigger doesn't wait

    @Test(
        "a cancelled run makes room at once, even if it ignores cancellation",
        arguments: policies.filter { $0.meeting != .waits })
    func cancelledRun(_ policy: Policy) async throws {
        let jobs = try await JobStore(gated: ["deaf", "beside"])
        let deaf = await jobs.performing("deaf", policy.make(nil))
        await jobs.arrival(of: "deaf")
        let beside = await fill(policy, in: jobs)

        deaf.cancel()
        // This would hang if the next run waited for the cancelled one.
        let next = await jobs.perform("next", policy.make(nil))
        let log = try await jobs.finalLog()

        #expect(await [deaf.value, next] == [.cancelled, .returned])
        #expect(log.filter { !$0.hasPrefix("beside") } == ["deaf+", "cleaned up deaf", "next+", "next-"])
        if let beside { #expect(await beside.value == .returned) }
    }

    // MARK: Policies under which a trigger waits

    @Test(
        "a cancelled run that ignores cancellation occupies its lane until it has ended, so two runs never overlap",
        arguments: waitingPolicies, [true, false])
    func deafRun(_ policy: Policy, isNextWaiting: Bool) async throws {
        let jobs = try await JobStore(gated: ["deaf"])
        let deaf = await jobs.performing("deaf", policy.make(nil))
        await jobs.arrival(of: "deaf")
        let waiting = isNextWaiting ? await jobs.performing("next", policy.make(nil)) : nil

        deaf.cancel()
        _ = await jobs.store.values(of: Log.self).first { $0.entries.contains("cleaned up deaf") }
        let next = if let waiting { waiting } else { await jobs.performing("next", policy.make(nil)) }
        let logWhileItIsDeaf = try await jobs.store.log()

        #expect(logWhileItIsDeaf == ["deaf+", "cleaned up deaf"])
        #expect(try await jobs.finalLog() == ["deaf+", "cleaned up deaf", "next+", "next-"])
        #expect(await [deaf.value, next.value] == [.cancelled, .returned])
    }

    @Test("a failure lets the waiting run start", arguments: waitingPolicies)
    func failure(_ policy: Policy) async throws {
        let jobs = try await JobStore(gated: ["bad"]) { job, _ in if job.name == "bad" { throw TestFailure() } }
        let bad = await jobs.performing("bad", policy.make(nil))
        let next = await jobs.performing("next", policy.make(nil))

        jobs.release("bad")

        #expect(await [bad.value, next.value] == [.failed(TestFailure()), .returned])
        #expect(try await jobs.finalLog() == ["bad+", "next+", "next-"])
    }

    @Test("cancelling a waiting run removes it, and it never starts", arguments: waitingPolicies)
    func cancelledWaiting(_ policy: Policy) async throws {
        let jobs = try await JobStore(gated: ["active"])
        await jobs.dispatch("active", policy.make(nil))
        let waiting = await jobs.performing("waiting", policy.make(nil))
        await jobs.arrival(of: "active")

        waiting.cancel()

        // The lane is blocked, so this would hang if the run waited for its turn.
        #expect(await waiting.value == .cancelled)
        #expect(try await jobs.finalLog() == ["active+", "cleaned up waiting", "active-"])
    }

    @Test("a reset removes the waiting runs, and a new trigger starts at once", arguments: waitingPolicies)
    func reset(_ policy: Policy) async throws {
        let jobs = try await JobStore(gated: ["active"])
        await jobs.dispatch("active", policy.make(nil))
        let waiting = await jobs.performing("waiting", policy.make(nil))
        await jobs.arrival(of: "active")

        async let reset: Void = jobs.store.reset()
        let ending = await waiting.value
        jobs.release("active")
        await reset

        #expect(ending == .cancelled)
        #expect(await jobs.perform("next", policy.make(nil)) == .returned)
        #expect(try await jobs.finalLog() == ["next+", "next-"])
    }
}
