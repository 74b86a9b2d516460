import InMemoryLogging
import Logging
import Relux
import Testing

@testable import Logs

@Suite("A store that logs", .timeLimit(.minutes(1)))
struct LogObserverTests {
    private struct Denied: Error {}

    /// Knows one password, and logs where it is called.
    private struct Server: SessionService {
        func token(for name: String, password: String) async throws -> String {
            Logger.current.info("asked for \(name)")
            if password != "secret" { throw Denied() }
            return "secret token"
        }
    }

    private let handler = InMemoryLogHandler()

    private func logger() -> Logger {
        var logger = Logger(label: "store") { _ in handler }
        logger.logLevel = .trace
        return logger
    }

    private func store() async throws -> Relux.Store {
        var configuration = Relux.StoreConfiguration()
        configuration.log(to: logger())
        return try await Relux.Store(configuration) { Session.Module(service: Server()) }
    }

    @Test("each event has its level, and no secret is shown")
    func levels() async throws {
        let store = try await store()

        await store.dispatch(Session.SignIn(name: "ann", password: .init("secret"))).finished()
        await store.dispatch(Session.SignIn(name: "bob", password: .init("guess"))).finished()
        await store.shutdown()

        #expect(
            handler.entries.map { "\($0.level): \($0.message)" } == [
                "info: Logs.Session.Module registered",
                #"debug: SignIn(name: "ann", password: <private>)"#,
                "trace: Session.Saga #1 started",
                "debug: signedIn(<private>)",
                "debug: Session.Saga #1 finished",
                #"debug: SignIn(name: "bob", password: <private>)"#,
                "trace: Session.Saga #2 started",
                "error: Session.Saga #2 failed",
                "debug: Session.Saga #2 failed",
                "info: Logs.Session.Module unregistered",
            ])
        #expect(handler.entries.allSatisfy { !"\($0)".contains("secret") })
    }

    @Test("an action has its number, its type, its cause, and its line")
    func metadata() async throws {
        let store = try await store()

        try await store.call(Session.SignIn(name: "ann", password: .init("secret")))

        let signedIn = try #require(handler.entries.first { $0.message == "signedIn(<private>)" })
        #expect(signedIn.metadata["sequence"] == "2")
        #expect(signedIn.metadata["action"] == "Logs.Session.State.Action")
        #expect(signedIn.metadata["cause"] == "Session.Saga #1")
        #expect(signedIn.metadata["line"]?.description.hasPrefix("Logs/Session.swift:") == true)
    }

    @Test("a failure that its caller receives is no error of the log, and a refusal is a warning")
    func problems() async throws {
        let store = try await store()

        await #expect(throws: Denied.self) {
            try await store.call(Session.SignIn(name: "bob", password: .init("guess")))
        }
        await store.shutdown()
        await store.dispatch(Session.State.Action.signedIn(.init("secret")))

        #expect(handler.entries.filter { $0.level >= .warning }.map(\.level) == [.warning])
    }

    @Test("what a service logs has the metadata of its caller and of its run")
    func services() async throws {
        let store = try await store()

        _ = await withLogger(logger()) { _ in
            await withLogger(mergingMetadata: ["request": "r1"]) { _ in
                await store.dispatch(Session.SignIn(name: "ann", password: .init("secret")))
            }
        }.outcome()

        let asked = try #require(handler.entries.first { $0.message == "asked for ann" })
        #expect(asked.metadata == ["request": "r1", "run": "Session.Saga #1"])
    }
}
