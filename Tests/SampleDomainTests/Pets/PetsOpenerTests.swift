import Relux
import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

/// The saga that opens pages, alone.
@Suite(.timeLimit(.minutes(10))) struct PetsOpenerTests {
    private func tester(pages: [Navigation.Page]) async throws -> SagaTester<Pets.Command> {
        let tester = try await SagaTester(Pets.Opener(), states: [Pets.State(), Navigation.Stack(path: pages)])
        try await tester.answer(Pets.Effect.self) { _ in .value(()) }
        return tester
    }

    @Test func `a page is pushed, and then its pet is loaded`() async throws {
        let tester = try await tester(pages: [.pet("b")])

        await tester.start(.open("a"))

        #expect(tester.dispatched(Navigation.Stack.Action.self) == [.push(.pet("a"))])
        #expect(tester.dispatched(Pets.Effect.self) == [.load(.pet("a"))])
        #expect(tester.steps.count == 2 && tester.steps.last?.description.contains("load") == true)
        #expect(tester.outcome?.description == "finished")
    }

    @Test func `if the page is already the top one, the pet is only loaded`() async throws {
        let tester = try await tester(pages: [.pet("b"), .pet("a")])

        await tester.start(.open("a"))

        #expect(tester.dispatched(Navigation.Stack.Action.self) == [])
        #expect(tester.dispatched(Pets.Effect.self) == [.load(.pet("a"))])
    }

    @Test func `a covered page is pushed again`() async throws {
        let tester = try await tester(pages: [.pet("a"), .pet("b")])

        await tester.start(.open("a"))

        #expect(tester.dispatched(Navigation.Stack.Action.self) == [.push(.pet("a"))])
    }
}
