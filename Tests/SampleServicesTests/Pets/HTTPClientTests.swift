import Foundation
import LoopbackServer
import Synchronization
import Testing

@testable import SampleServices

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests that are no longer wanted.
///
/// The system's own `data(for:)` used to do this work. If it was cancelled at the moment of an answer, it never ended,
/// and blocked the cancelling thread as well.
@Suite(.timeLimit(.minutes(10))) struct HTTPClientTests {
    @Test func `a cancelled request ends immediately, even if the system is busy with it`() async throws {
        let client = HTTPClient(protocols: [BusyProtocol.self])
        let url = try #require(URL(string: "http://busy.invalid/"))
        let asking = Task { try await client.answer(to: URLRequest(url: url)) }
        await BusyProtocol.begun()

        asking.cancel()
        let result = await asking.result
        let isBusy = BusyProtocol.isBusy
        BusyProtocol.letGo()

        #expect(throws: CancellationError.self) { try result.get() }
        #expect(isBusy)
    }

    @Test func `a request that is cancelled beforehand isn't sent`() async throws {
        let server = try LoopbackServer { _ in .response(body: "[]") }
        let client = HTTPClient()
        let url = try #require(URL(string: server.address + "/never"))
        let next = try #require(URL(string: server.address + "/next"))
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let asking = Task {
            for await _ in gate { break }
            return try await client.answer(to: URLRequest(url: url))
        }

        asking.cancel()
        opening.finish()
        let result = await asking.result
        // Requests start in order, so the cancelled one would have arrived first.
        _ = try await client.answer(to: URLRequest(url: next))

        #expect(throws: CancellationError.self) { try result.get() }
        #expect(server.requests.map(\.path) == ["/next"])
    }

    @Test func `all requests that are cancelled while they are being answered end`() async throws {
        let vacancy = try LoopbackServer.Vacancy()
        let url = try #require(URL(string: vacancy.address))
        let client = HTTPClient()

        for _ in 0..<10 {
            await withTaskGroup { group in
                for _ in 0..<50 { group.addTask { _ = try? await client.answer(to: URLRequest(url: url)) } }
                await group.next()
                group.cancelAll()
            }
        }

        // The client still works.
        await #expect(throws: URLError.self) { try await client.answer(to: URLRequest(url: url)) }
    }

    @Test func `requests that are cancelled, and the client with them, leave no connection`() async throws {
        let latch = try Latch()
        let server = try LoopbackServer { _ in .held(latch, then: .silence) }
        let url = try #require(URL(string: server.address))

        await withTaskGroup { group in
            let client = HTTPClient()
            for _ in 0..<5 { group.addTask { _ = try? await client.answer(to: URLRequest(url: url)) } }
            await server.requests(atLeast: 5)
            group.cancelAll()
        }

        await server.hangUps(atLeast: 5)
        await server.connections(atMost: 0)
    }
}

/// Keeps the system busy from the start of a request until it is released. For a single test.
private final class BusyProtocol: URLProtocol {
    private static let (beginnings, beginning) = AsyncStream.makeStream(of: Void.self)
    private static let busy = Atomic(false)
    private static let release = DispatchSemaphore(value: 0)

    static var isBusy: Bool { busy.load(ordering: .relaxed) }

    static func begun() async { for await _ in beginnings { break } }

    static func letGo() { release.signal() }

    override class func canInit(with request: URLRequest) -> Bool { true }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        Self.busy.store(true, ordering: .relaxed)
        Self.beginning.yield()
        // Limited, so that a test that waits for it by mistake fails eventually.
        _ = Self.release.wait(timeout: .now() + 120)
        Self.busy.store(false, ordering: .relaxed)
    }

    override func stopLoading() {}
}
