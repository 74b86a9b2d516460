import Foundation
import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Docs/Composition.md", .timeLimit(.minutes(10)))
struct CompositionGuideTests {
    private typealias Example = CompositionExample

    /// Knows two chats: one that goes on, and one that ends when it is told to.
    private struct Service: Example.ChatService {
        let end = Gate()
        let sent = Shared<[String]>([])

        func send(_ text: String, to chat: String) async throws {
            sent.change { $0.append("\(chat) \(text)") }
        }

        func messages(of chat: String) -> AsyncStream<String> {
            AsyncStream { continuation in
                let task = Task {
                    await end.pass()
                    if chat == "short" { continuation.finish() }
                }
                continuation.onTermination = { _ in task.cancel() }
            }
        }
    }

    @Test("one step opens a chat and speaks in it, and the inbox counts what arrives")
    func opens() async throws {
        let service = Service()
        defer { service.end.open() }

        let result = try await Example.openAndSay(service)

        #expect(result.messages == ["Hello", "Hi"])
        #expect(result.overview == ["ada: 2"])
        #expect(service.sent.value == ["ada Hi"])
    }

    @Test("a chat that has finished is closed by the inbox")
    func finishes() async throws {
        let service = Service()
        let observer = RecordingObserver()
        let store = try await Relux.Store(.init(observers: [observer])) { Example.Inbox.Module(service: service) }
        await store.dispatch(Example.Inbox.State.Action.open("short"))
        let open = store.values(of: Example.Inbox.State.self) { $0.open }

        service.end.open()

        #expect(await open.first { $0.isEmpty } == [])
        #expect(await store.read { $0.states(of: Example.Chat.State.self, in: Example.Chat.Module.self).isEmpty })
        #expect(
            !observer.events.contains { event in
                if case .refused = event { true } else { false }
            })
    }

    @Test("a lease holds a chat until it ends")
    func leases() async throws {
        let service = Service()
        defer { service.end.open() }
        let store = Relux.Store()

        let scope = try await Example.attach(to: store, service)

        await #expect(throws: Relux.StoreError.self) { try await scope.state(of: Example.Chat.State.self) }
    }
}
