import Relux
import ReluxTesting
import Testing

@testable import hello

struct BrokenQuotes: QuoteService {
    func quote() async throws(QuoteError) -> String { throw QuoteError.noConnection }
}

@Test("A quote is loaded")
func loading() async throws {
    let store = try await TestStore { Quotes.Module(service: BuiltInQuotes()) }

    await store.dispatch(Quotes.Load())
    await store.receive(Quotes.State.Action.loading) { (state: inout Quotes.State) in
        state.quote = .loading(previous: nil)
    }
    await store.receive(Quotes.State.Action.loaded("Make it work, then make it right.")) {
        (state: inout Quotes.State) in
        state.quote = .loaded("Make it work, then make it right.")
    }
    await store.finish()
}

@Test("A failure is part of the state")
func failure() async throws {
    let store = try await TestStore { Quotes.Module(service: BrokenQuotes()) }

    await store.dispatch(Quotes.Load())
    await store.receive(Quotes.State.Action.loading) { (state: inout Quotes.State) in
        state.quote = .loading(previous: nil)
    }
    await store.receive(Quotes.State.Action.failed(.noConnection)) { (state: inout Quotes.State) in
        state.quote = .failed(.noConnection, previous: nil)
    }
    await store.finish()
}
