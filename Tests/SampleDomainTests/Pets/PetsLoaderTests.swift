import Relux
import ReluxTesting
import SampleServices
import TestFixtures
import Testing

@testable import SampleDomain

/// The sagas that load the catalogue and a page, alone.
@Suite(.timeLimit(.minutes(10))) struct PetsLoaderTests {
    private let patience = Pets.Patience(limit: .seconds(10), jitter: 0)

    private func tester(
        _ service: some PetsService,
        patience: Pets.Patience? = nil
    ) async throws -> SagaTester<Pets.Effect> {
        let loader = Pets.Loader<Pets.Effect, [Pet.Summary]>(service: service, patience: patience ?? self.patience) {
            try await $0.pets()
        }
        return try await SagaTester(loader, states: [Pets.State()])
    }

    private func pageTester(_ service: some PetsService) async throws -> SagaTester<PetPage.Effect> {
        let loader = PetPage.Loader(service: service, patience: patience) { try await $0.pet(id: "a") }
        return try await SagaTester(loader, states: [PetPage.State(of: "a")])
    }

    /// What the saga has dispatched after its start.
    private func dispatched(by tester: SagaTester<Pets.Effect>) -> [Pets.State.Action] {
        let actions = tester.dispatched(Pets.State.Action.self)
        #expect(actions.first == .began)
        return Array(actions.dropFirst())
    }

    /// What the saga has dispatched after its start.
    private func dispatched(by tester: SagaTester<PetPage.Effect>) -> [PetPage.State.Action] {
        let actions = tester.dispatched(PetPage.State.Action.self)
        #expect(actions.first == .began)
        return Array(actions.dropFirst())
    }

    @Test func `the catalogue is loaded with one request`() async throws {
        let service = ScriptedPetsService(list: { (_) throws(PetsServiceError) in [.sample("a"), .sample("b")] })
        let tester = try await tester(service)

        await tester.start(.load)

        #expect(dispatched(by: tester) == [.loaded([.sample("a"), .sample("b")])])
        #expect(service.questions == ["*"] && tester.outcome?.description == "finished")
    }

    @Test func `a pet is loaded by its id`() async throws {
        let service = ScriptedPetsService()
        let tester = try await pageTester(service)

        await tester.start(.load)

        #expect(dispatched(by: tester) == [.loaded(.sample("a"))])
        #expect(service.questions == ["a"] && tester.outcome?.description == "finished")
    }

    @Test func `transient failures are retried, each after a pause twice as long`() async throws {
        let service = ScriptedPetsService(list: { (_) throws(PetsServiceError) in throw .offline })
        let tester = try await tester(service)

        await tester.start(.load)
        await tester.advance(by: .milliseconds(1_749))
        let before = service.questions.count
        await tester.advance(by: .milliseconds(1))

        #expect(before == 3 && service.questions.count == 4)
        #expect(pauses(of: tester) == [.milliseconds(250), .milliseconds(500), .seconds(1)])
        let setbacks = (1...3).map { Pets.Setback(.offline, attempt: $0, limit: 4) }
        #expect(
            dispatched(by: tester) == setbacks.map { .setBack($0) } + [.failed(.offline)]
        )
        #expect(tester.outcome?.description == "failed: \(PetsServiceError.offline)")
    }

    @Test func `no pause is longer than the longest`() async throws {
        let service = ScriptedPetsService(list: { (_) throws(PetsServiceError) in throw .offline })
        let patience = Pets.Patience(
            limit: .seconds(10), attempts: 5, pause: .seconds(1), longestPause: .seconds(3), jitter: 0
        )
        let tester = try await tester(service, patience: patience)

        await tester.start(.load)
        await tester.advance(by: .seconds(9))

        #expect(pauses(of: tester) == [.seconds(1), .seconds(2), .seconds(3), .seconds(3)])
        #expect(service.questions.count == 5)
    }

    @Test(
        arguments: [
            .offline(.noNetwork), .offline(.unknownHost), .offline(.unreachable), .offline(.brokenOff),
            .offline(.other(code: 1)), .slow(limit: .seconds(1)), .status(408), .status(429), .status(500),
            .status(503),
        ] as [PetsServiceError.Reason])
    func `an unreachable server, or one with an error, is asked again`(reason: PetsServiceError.Reason) async throws {
        let error = PetsServiceError(reason, place: "script")
        let service = ScriptedPetsService(one: { (id, attempt) throws(PetsServiceError) in
            if attempt == 1 { throw error }
            return .sample(id)
        })
        let tester = try await pageTester(service)

        await tester.start(.load)
        await tester.advance(by: .milliseconds(250))

        let setback = Pets.Setback(error, attempt: 1, limit: 4)
        #expect(dispatched(by: tester) == [.setBack(setback), .loaded(.sample("a"))])
    }

    @Test(
        arguments: [
            .notFound("a"), .malformed("x"), .status(304), .status(400), .status(404), .status(600), .untrusted,
        ] as [PetsServiceError.Reason])
    func `a permanent failure isn't retried`(reason: PetsServiceError.Reason) async throws {
        let error = PetsServiceError(reason, place: "script")
        let service = ScriptedPetsService(one: { (_, _) throws(PetsServiceError) in throw error })
        let tester = try await pageTester(service)

        await tester.start(.load)

        #expect(dispatched(by: tester) == [.failed(error)])
        #expect(service.questions == ["a"] && pauses(of: tester) == [])
        #expect(tester.outcome?.description == "failed: \(error)")
    }

    @Test func `an attempt takes no longer than its limit, and the next may succeed`() async throws {
        let service = ScriptedPetsService(list: { (attempt) throws(PetsServiceError) in
            if attempt == 1 { try await untilCancelled() }
            return []
        })
        let tester = try await tester(service)

        await tester.start(.load)
        await tester.advance(by: .seconds(10))
        let slow = PetsServiceError(.slow(limit: .seconds(10)), place: "script")
        let atLimit = dispatched(by: tester)
        await tester.advance(by: .milliseconds(250))

        #expect(atLimit == [.setBack(Pets.Setback(slow, attempt: 1, limit: 4))])
        #expect(dispatched(by: tester).last == .loaded([]))
    }

    @Test func `a service that ignores cancellation can't exceed the limit either`() async throws {
        let gate = Gate()
        let service = ScriptedPetsService(list: { (_) throws(PetsServiceError) in
            await gate.pass()
            return []
        })
        let tester = try await tester(service, patience: Pets.Patience(limit: .seconds(10), attempts: 1))

        await tester.start(.load)
        await tester.advance(by: .seconds(10))
        gate.open()
        await tester.advance(by: .zero)

        let slow = PetsServiceError(.slow(limit: .seconds(10)), place: "script")
        #expect(dispatched(by: tester) == [.failed(slow)])
    }

    @Test func `a load that is cancelled in a pause makes no more requests, and leaves nothing loading`() async throws {
        let service = ScriptedPetsService(one: { (_, _) throws(PetsServiceError) in throw .offline })
        let tester = try await pageTester(service)
        await tester.start(.load)

        await tester.cancel()
        await tester.advance(by: .seconds(60))

        #expect(service.questions == ["a"])
        #expect(dispatched(by: tester).last == .cancelled)
        #expect(tester.outcome?.description == "cancelled")
    }

    @Test func `a load that is cancelled in a request ends it`() async throws {
        let service = ScriptedPetsService(list: { (_) throws(PetsServiceError) in
            try await untilCancelled()
            return []
        })
        let tester = try await tester(service)
        await tester.start(.load)

        await tester.cancel()

        #expect(dispatched(by: tester) == [.cancelled])
        #expect(tester.outcome?.description == "cancelled")
    }

    @Test func `a service that reports cancellation by itself has failed, and leaves nothing loading`() async throws {
        let given = PetsServiceError(.cancelled, place: "script")
        let service = ScriptedPetsService(list: { (_) throws(PetsServiceError) in throw given })
        let tester = try await tester(service)

        await tester.start(.load)

        #expect(dispatched(by: tester) == [.failed(given)])
        #expect(service.questions == ["*"] && tester.outcome?.description == "failed: \(given)")
    }

    /// The durations of its sleeps, without the limits of the attempts.
    private func pauses<Effect>(of tester: SagaTester<Effect>) -> [Duration] {
        tester.sleeps.filter { $0 < .seconds(10) }
    }
}
