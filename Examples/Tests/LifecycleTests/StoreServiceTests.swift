import Foundation
import Relux
import ReluxPersistence
import ReluxTesting
import ServiceLifecycle
import ServiceLifecycleTestKit
import Testing

@testable import Lifecycle

@Suite("A store as a service", .timeLimit(.minutes(1)))
struct StoreServiceTests {
    /// A printer that prints a document when the test lets it.
    private struct SlowPrinter: Printer {
        let gate = AsyncStream.makeStream(of: Void.self)

        func print(_ document: String) async throws {
            for await _ in gate.stream { return }
            throw CancellationError()
        }
    }

    /// A service that prints one more document while it stops.
    private struct Desk: Service {
        let store: Relux.Store

        func run() async throws {
            try await gracefulShutdown()
            try await store.call(Printing.Print(document: "farewell"))
        }
    }

    private let storage = Relux.MemoryStorage()
    private let printer = SlowPrinter()
    /// Its sleepers are the limit of `patience` and the pace of a save.
    private let clock = ManualClock()

    private func store() async throws -> Relux.Store {
        try await Relux.Store(.init(clock: clock)) { [printer, storage] in
            Printing.Module(printer: printer, storage: storage)
        }
    }

    /// What a program that starts after this one finds.
    private func printed() async throws -> [String] { try await store().state(of: Printing.State.self).printed }

    @Test("what is being printed when the program is told to stop is finished, and saved")
    func gracefully() async throws {
        let store = try await store()
        await store.dispatch(Printing.Print(document: "letter"))

        try await testGracefulShutdown { trigger in
            async let service: Void = StoreService(store: store).run()
            trigger.triggerGracefulShutdown()
            await clock.sleepers(atLeast: 1)
            printer.gate.continuation.yield()
            await clock.sleepers(atLeast: 2)
            await clock.advance(by: .milliseconds(250))
            try await service
        }

        #expect(try await printed() == ["letter"])
    }

    @Test("a run that takes too long is cancelled, and the rest is saved")
    func impatiently() async throws {
        let store = try await store()
        await store.dispatch(Printing.State.Action.printed("letter"))
        await store.dispatch(Printing.Print(document: "novel"))

        try await testGracefulShutdown { trigger in
            async let service: Void = StoreService(store: store, patience: .seconds(5)).run()
            trigger.triggerGracefulShutdown()
            await clock.sleepers(atLeast: 2)
            await clock.advance(by: .seconds(5))
            try await service
        }

        #expect(try await printed() == ["letter"])
    }

    @Test("a store that is listed first stops last")
    func order() async throws {
        let store = try await store()
        printer.gate.continuation.yield()
        let group = ServiceGroup(services: [StoreService(store: store), Desk(store: store)])

        async let services: Void = group.run()
        await group.triggerGracefulShutdown()
        await clock.sleepers(atLeast: 2)
        await clock.advance(by: .milliseconds(250))
        try await services

        #expect(try await printed() == ["farewell"])
    }

    @Test("a last save that fails is the error of the service")
    func failure() async throws {
        struct FullStorage: Relux.Storage {
            struct Full: Error {}

            func read(_ key: String) async throws -> Data? { nil }
            func keys() async throws -> [String] { [] }
            func update(
                _ keys: Set<String>, _ change: @Sendable (inout [String: Data]) throws -> Void
            ) async throws { throw Full() }
        }
        let store = try await Relux.Store { [printer] in Printing.Module(printer: printer, storage: FullStorage()) }
        await store.dispatch(Printing.State.Action.printed("letter"))

        await #expect(throws: FullStorage.Full.self) {
            try await testGracefulShutdown { trigger in
                trigger.triggerGracefulShutdown()
                try await StoreService(store: store, patience: .zero).run()
            }
        }
    }
}
