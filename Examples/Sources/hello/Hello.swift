import Relux

struct BuiltInQuotes: QuoteService {
    func quote() async -> String { "Make it work, then make it right." }
}

@main
struct Hello {
    static func main() async throws {
        let store = try await Relux.Store(.init(observers: [Relux.ConsoleLogger()])) {
            Quotes.Module(service: BuiltInQuotes())
        }

        try await store.perform(Quotes.Load())

        let state = try await store.state(of: Quotes.State.self)
        print(state.quote.value ?? "There is no quote.")
    }
}
