import Hummingbird
import HummingbirdTesting
import Relux
import ReluxTesting
import Testing

@testable import Sessions

@Suite("A server with sessions", .timeLimit(.minutes(1)))
struct ServerTests {
    /// A shop that numbers its orders.
    private actor Counter: Shop {
        private var orders: [[String]] = []

        func order(_ articles: [String]) -> Int {
            orders.append(articles)
            return orders.count
        }
    }

    /// A browser: it keeps its cookie.
    private struct Browser {
        let client: any TestClientProtocol
        let cookie: String

        init(_ client: any TestClientProtocol) async throws {
            self.client = client
            cookie = try await client.execute(uri: "/session", method: .post) { response in
                #expect(response.status == .created)
                return response.headers[.setCookie]?.split(separator: ";").first.map(String.init) ?? ""
            }
        }

        func basket() async throws -> String { try await text("/basket", .get) }
        func add(_ article: String) async throws { _ = try await text("/basket/\(article)", .post) }
        func order() async throws -> String { try await text("/order", .post) }
        func leave() async throws { _ = try await text("/session", .delete) }

        /// The body of a response, or its status if it isn't OK.
        private func text(_ uri: String, _ method: HTTPRequest.Method) async throws -> String {
            try await client.execute(uri: uri, method: method, headers: [.cookie: cookie]) { response in
                response.status == .ok ? String(buffer: response.body) : "\(response.status.code)"
            }
        }
    }

    private let clock = ManualClock()
    private let recorder = RecordingObserver()

    private func withClient(_ body: @Sendable @escaping (any TestClientProtocol) async throws -> Void) async throws {
        let configuration = Relux.StoreConfiguration(clock: clock, observers: [recorder])
        let store = try await Relux.Store(configuration) { Sessions.Module(shop: Counter()) }
        try await Application(router: Server(store: store).router).test(.router, body)
    }

    @Test("each session has a basket of its own")
    func separate() async throws {
        try await withClient { client in
            let ann = try await Browser(client)
            let bob = try await Browser(client)

            try await ann.add("tea")
            try await bob.add("milk")
            let number = try await ann.order()

            #expect(number == "1")
            #expect(try await ann.basket() == "[]")
            #expect(try await bob.basket() == #"["milk"]"#)
        }
    }

    @Test("a session ends half an hour after its last request")
    func expiry() async throws {
        try await withClient { client in
            let ann = try await Browser(client)
            try await ann.add("tea")
            await clock.advance(by: .seconds(29 * 60))
            #expect(try await ann.basket() == #"["tea"]"#)
            await clock.advance(by: .seconds(29 * 60))
            #expect(try await ann.basket() == #"["tea"]"#)

            await clock.advance(by: .seconds(30 * 60))
            await recorder.first(Relux.Dismissal.self)

            #expect(try await ann.basket() == "401")
        }
    }

    @Test("nothing is left of a session that was closed, and nothing is found without one")
    func closed() async throws {
        try await withClient { client in
            let ann = try await Browser(client)
            try await ann.add("tea")

            try await ann.leave()

            #expect(try await ann.basket() == "401")
            #expect(try await ann.order() == "401")
            #expect(try await client.execute(uri: "/basket", method: .get) { $0.status } == .unauthorized)
        }
    }
}
