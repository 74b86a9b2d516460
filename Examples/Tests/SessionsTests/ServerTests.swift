import Hummingbird
import Logging
import NIOEmbedded
import Relux
import ReluxTesting
import Synchronization
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
        let client: Client
        let cookie: String

        init(_ client: Client) async throws {
            self.client = client
            let response = try await client.execute("/session", .post)
            #expect(response.status == .created)
            cookie = response.headers[.setCookie]?.split(separator: ";").first.map(String.init) ?? ""
        }

        func basket() async throws -> String { try await text("/basket", .get) }
        func add(_ article: String) async throws { _ = try await text("/basket/\(article)", .post) }
        func order() async throws -> String { try await text("/order", .post) }
        func leave() async throws { _ = try await text("/session", .delete) }

        /// The body of a response, or its status if it isn't OK.
        private func text(_ uri: String, _ method: HTTPRequest.Method) async throws -> String {
            let response = try await client.execute(uri, method, cookie: cookie)
            return response.status == .ok ? response.body : "\(response.status.code)"
        }
    }

    /// Sends requests to the router, without a network.
    private struct Client {
        let responder: RouterResponder<BasicRequestContext>

        func execute(
            _ path: String, _ method: HTTPRequest.Method, cookie: String? = nil
        ) async throws -> (status: HTTPResponse.Status, headers: HTTPFields, body: String) {
            var head = HTTPRequest(method: method, scheme: "http", authority: "localhost", path: path)
            head.headerFields[.cookie] = cookie
            let context = BasicRequestContext(
                source: ApplicationRequestContextSource(
                    channel: NIOAsyncTestingChannel(), logger: Logger(label: "test")))
            do {
                let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
                let response = try await responder.respond(to: request, context: context)
                let body = Body()
                try await response.body.write(body)
                return (response.status, response.headers, body.text.withLock { $0 })
            } catch let error as HTTPError {
                return (error.status, error.headers, "")
            }
        }
    }

    /// The body of a response.
    private final class Body: ResponseBodyWriter {
        let text = Mutex("")

        func write(_ buffer: ByteBuffer) async throws { text.withLock { $0 += String(buffer: buffer) } }
        func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }

    private let clock = ManualClock()
    private let recorder = RecordingObserver()

    private func client() async throws -> Client {
        let configuration = Relux.StoreConfiguration(clock: clock, observers: [recorder])
        let store = try await Relux.Store(configuration) { Sessions.Module(shop: Counter()) }
        return Client(responder: Server(store: store).router.buildResponder())
    }

    @Test("each session has a basket of its own")
    func separate() async throws {
        let client = try await client()
        let ann = try await Browser(client)
        let bob = try await Browser(client)

        try await ann.add("tea")
        try await bob.add("milk")
        let number = try await ann.order()

        #expect(number == "1")
        #expect(try await ann.basket() == "[]")
        #expect(try await bob.basket() == #"["milk"]"#)
    }

    /// A shop in which something else happens while it works.
    private struct BusyShop: Shop {
        let meanwhile: @Sendable () async -> Void

        func order(_ articles: [String]) async throws -> Int {
            await meanwhile()
            return articles.count
        }
    }

    @Test("what is added while an order is under way stays in the basket")
    func addedMeanwhile() async throws {
        let store = Relux.Store()
        let basket = store.scope(of: Basket.Module.self, id: "a")
        try await store.register(
            Basket.Module(id: "a", shop: BusyShop { await basket.dispatch(Basket.State.Action.added("milk")) }))
        await basket.dispatch(Basket.State.Action.added("tea"))

        #expect(try await basket.call(Basket.Order()) == 1)

        #expect(try await basket.state(of: Basket.State.self).articles == ["milk"])
        await store.shutdown()
    }

    @Test("a session ends half an hour after its last request")
    func expiry() async throws {
        let client = try await client()
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

    @Test("nothing is left of a session that was closed, and nothing is found without one")
    func closed() async throws {
        let client = try await client()
        let ann = try await Browser(client)
        try await ann.add("tea")

        try await ann.leave()

        #expect(try await ann.basket() == "401")
        #expect(try await ann.order() == "401")
        #expect(try await client.execute("/basket", .get).status == .unauthorized)
    }
}
