import Relux
import ReluxTesting
import Testing

@testable import hello

struct BrokenQuotes: QuoteService {
    func quote() async throws(QuoteError) -> String { throw QuoteError.noConnection }
}

struct SilentQuotes: QuoteService {
    func quote() async throws(QuoteError) -> String {
        try? await Task.sleep(for: .seconds(60))
        throw QuoteError.noConnection
    }
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

@Test("A newer load supersedes an older one, and a cancelled one leaves nothing loading")
func cancellation() async throws {
    let store = try await TestStore { Quotes.Module(service: SilentQuotes()) }

    await store.dispatch(Quotes.Load())
    await store.receive(Quotes.State.Action.loading) { (state: inout Quotes.State) in
        state.quote = .loading(previous: nil)
    }
    let newer = await store.perform(Quotes.Load())
    await store.receive(Quotes.State.Action.loading)
    await newer.cancel()
    await store.receive(Quotes.State.Action.cancelled) { (state: inout Quotes.State) in
        state.quote = .idle
    }
    await store.finish()
}
