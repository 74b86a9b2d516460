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
        let plain: Relux.Policy
        let identified: @Sendable (Int) -> Relux.Policy

        init(
            _ name: String, _ meeting: Meeting, _ plain: Relux.Policy,
            identified: @escaping @Sendable (Int) -> Relux.Policy
        ) {
            (testDescription, self.meeting, self.plain, self.identified) = (name, meeting, plain, identified)
        }

        /// Fills a limit of 2 but for one run.
        var filling: [JobEvent] { meeting == .runsBeside ? [.begin("beside", plain)] : [] }
    }

    static let policies = [
        Policy("concurrent", .runsBeside, .concurrent) { _ in .concurrent },
        Policy("concurrent, limited to 1", .waits, .concurrent(limit: 1)) { .concurrent(limit: 1, id: $0) },
        Policy("serial", .waits, .serial) { .serial(id: $0) },
        Policy("conflated", .waits, .conflated) { .conflated(id: $0) },
        Policy("latest", .supersedes, .latest) { .latest(id: $0) },
        Policy("latest, limited to 2", .runsBeside, .latest(limit: 2)) { .latest(limit: 2, id: $0) },
        Policy("leading", .isDropped, .leading) { .leading(id: $0) },
        Policy("leading, limited to 2", .runsBeside, .leading(limit: 2)) { .leading(limit: 2, id: $0) },
        Policy("shared", .joins, .shared) { .shared(id: $0) },
    ]

    static let waitingPolicies = policies.filter { $0.meeting == .waits }

    // MARK: All policies

    @Test("each id has its own lane and its own limit, and so have the triggers without an id", arguments: policies)
    func ids(_ policy: Policy) async throws {
        // This would hang if one of the first three waited for another one or was dropped.
        var events: [JobEvent] = [
            .begin("first", policy.identified(1)), .begin("other id", policy.identified(2)),
            .begin("no id", policy.plain), .perform("second", policy.identified(1)),
        ]
        if !policy.meeting.isWaiting { events.append(.end("second")) }
        let (ending, log): (Ending?, [String]) =
            switch policy.meeting {
            case .waits: (nil, ["first+", "first-", "second+", "second-"])
            case .supersedes: (nil, ["first+", "second+", "second-"])
            case .isDropped: (.dropped, ["first+", "first-"])
            case .joins: (nil, ["first+", "first-"])
            case .runsBeside: (nil, ["first+", "second+", "second-", "first-"])
            }
        var endings: [String: Ending] = [:]
        endings["second"] = ending
        if policy.meeting == .supersedes { endings["first"] = .superseded }

        let found = try await play(events, endings: endings)

        #expect(found.filter { $0.hasPrefix("first") || $0.hasPrefix("second") } == log)
    }

    @Test("the next trigger starts a run once the active one has ended, successfully or not", arguments: policies)
    func ended(_ policy: Policy) async throws {
        let log = try await play(
            policy.filling + ["good", "bad", "next"].flatMap { [.perform($0, policy.plain), .end($0)] },
            endings: ["bad": .failed(TestFailure())])

        #expect(log.filter { !$0.hasPrefix("beside") } == ["good+", "good-", "bad+", "next+", "next-"])
    }

    @Test("a run that performs its own id never waits for itself", arguments: policies)
    func selfPerform(_ policy: Policy) async throws {
        let inner = Trace<Ending>()
        let jobs = try await JobStore { job, context in
            guard job.name == "outer" else { return }
            inner.note(await Ending.of { try await context.perform(Job("inner", policy.plain)) })
        }

        let outer = await jobs.perform("outer", policy.plain)
        let log = try await jobs.finalLog()

        let cycles = jobs.observer.refusals.entries.compactMap(\.cycle)
        #expect(cycles.count == (policy.meeting.isWaiting ? 1 : 0))
        #expect(outer == (policy.meeting == .supersedes ? .superseded : .returned))
        let (ending, expected): (Ending, [String]) =
            switch policy.meeting {
            case .waits: (.cycle(waiting: "outer", on: "inner"), ["outer+", "cleaned up inner", "outer-"])
            case .joins: (.cycle(waiting: "outer", on: "inner"), ["outer+", "outer-"])
            // The child has succeeded, but the run has been superseded.
            case .supersedes: (.returned, ["outer+", "inner+", "inner-"])
            case .isDropped: (.dropped, ["outer+", "outer-"])
            case .runsBeside: (.returned, ["outer+", "inner+", "inner-", "outer-"])
            }
        #expect(inner.entries == [ending])
        #expect(log == expected)
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
        // This would hang if the next run waited for the cancelled one.
        let log = try await play(
            [.begin("deaf", policy.plain)] + policy.filling
                + [.cancel("deaf"), .perform("next", policy.plain), .end("next")],
            endings: ["deaf": .cancelled])

        #expect(log.filter { !$0.hasPrefix("beside") } == ["deaf+", "cleaned up deaf", "next+", "next-"])
    }

    // MARK: Policies under which a trigger waits

    @Test(
        "a cancelled run that ignores cancellation occupies its lane until it has ended, so two runs never overlap",
        arguments: waitingPolicies, [true, false])
    func deafRun(_ policy: Policy, isNextWaiting: Bool) async throws {
        let cancelling: [JobEvent] = [.cancel("deaf"), .logged("cleaned up deaf")]
        let next = JobEvent.perform("next", policy.plain)
        try await play(
            [.begin("deaf", policy.plain)] + (isNextWaiting ? [next] + cancelling : cancelling + [next])
                + [.log(["deaf+", "cleaned up deaf"])],
            endings: ["deaf": .cancelled], log: ["deaf+", "cleaned up deaf", "next+", "next-"])
    }

    @Test("a failure lets the waiting run start", arguments: waitingPolicies)
    func failure(_ policy: Policy) async throws {
        try await play(
            [.begin("bad", policy.plain), .perform("next", policy.plain), .release("bad"), .end("bad"), .end("next")],
            endings: ["bad": .failed(TestFailure())], log: ["bad+", "next+", "next-"])
    }

    @Test("cancelling a waiting run removes it, and it never starts", arguments: waitingPolicies)
    func cancelledWaiting(_ policy: Policy) async throws {
        // The lane is blocked, so this would hang if the run waited for its turn.
        try await play(
            [
                .begin("active", policy.plain), .perform("waiting", policy.plain), .cancel("waiting"),
                .end("waiting"),
            ], endings: ["waiting": .cancelled], log: ["active+", "cleaned up waiting", "active-"])
    }

    @Test("a reset removes the waiting runs, and a new trigger starts at once", arguments: waitingPolicies)
    func reset(_ policy: Policy) async throws {
        try await play(
            [
                .begin("active", policy.plain), .perform("waiting", policy.plain), .reset, .end("waiting"),
                .release("active"), .end("active"), .perform("next", policy.plain), .end("next"),
            ], endings: ["active": .cancelled, "waiting": .cancelled], log: ["next+", "next-"])
    }
}
