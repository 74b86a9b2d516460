import InMemoryTracing
import Relux
import Testing
import Tracing

@testable import Traces

@Suite("A store that traces", .timeLimit(.minutes(1)))
struct TracingTests {
    private struct Offline: Error {}

    /// A service that opens spans, as an HTTP client does.
    private struct Server: WeatherService {
        let tracer: InMemoryTracer
        var isOnline = true

        func place() async throws -> String { tracer.withSpan("read the GPS") { _ in "Oslo" } }

        func forecast(for place: String) async throws -> String {
            try tracer.withSpan("GET /forecast") { _ in
                if !isOnline { throw Offline() }
                return "sun"
            }
        }
    }

    private let tracer = InMemoryTracer()

    private func store(_ service: any WeatherService) async throws -> Relux.Store {
        var configuration = Relux.StoreConfiguration()
        configuration.trace(with: tracer)
        return try await Relux.Store(configuration) { Weather.Module(service: service) }
    }

    /// The finished spans below one, each with its ancestors.
    private func tree(below parent: FinishedInMemorySpan? = nil) -> [String] {
        tracer.finishedSpans.filter { $0.parentSpanID == parent?.spanID }.flatMap { span in
            [span.operationName] + tree(below: span).map { "\(span.operationName) > \($0)" }
        }
    }

    @Test("the spans of services and of performed runs nest under those of their runs")
    func nesting() async throws {
        let store = try await store(Server(tracer: tracer))

        try await tracer.withSpan("request") { _ in
            try await store.call(Weather.Refresh())
        }

        let refresher = "request > Traces.Weather.Refresher"
        #expect(
            tree() == [
                "request",
                refresher,
                "\(refresher) > Traces.Weather.Locator",
                "\(refresher) > Traces.Weather.Locator > read the GPS",
                "\(refresher) > GET /forecast",
            ])
        #expect(Set(tracer.finishedSpans.map(\.traceID)).count == 1)
    }

    @Test("a span says what it is about, and the error of its run")
    func attributes() async throws {
        let store = try await store(Server(tracer: tracer, isOnline: false))

        await #expect(throws: Offline.self) { try await store.call(Weather.Refresh()) }

        let span = try #require(tracer.finishedSpans.last)
        #expect(span.operationName == "Traces.Weather.Refresher")
        #expect(span.attributes["relux.run"]?.toSpanAttribute() == .int64(1))
        #expect(span.attributes["relux.trigger"]?.toSpanAttribute() == .string("Traces.Weather.Refresh"))
        #expect(span.errors.first?.error is Offline)
    }

    @Test("a cancelled run is no error of its span")
    func cancellation() async throws {
        struct Never: WeatherService {
            let started = AsyncStream.makeStream(of: Void.self)

            func place() async throws -> String {
                started.continuation.yield()
                for await _ in AsyncStream<Void>.makeStream().stream {}
                throw CancellationError()
            }

            func forecast(for place: String) async throws -> String { "" }
        }
        let service = Never()
        let store = try await store(service)
        let refresh = await store.dispatch(Weather.Refresh())
        for await _ in service.started.stream { break }

        refresh.cancel()
        await refresh.finished()

        #expect(tracer.finishedSpans.count == 2)
        #expect(tracer.finishedSpans.allSatisfy { $0.errors.isEmpty })
        #expect(
            tracer.finishedSpans.allSatisfy {
                $0.attributes["relux.outcome"]?.toSpanAttribute() == .string("cancelled")
            })
    }
}
