import Relux

/// Switches features on and off while the app is running.
enum Flags {
    struct State: Relux.State, Hashable {
        var usesNewPrices = false

        enum Action: Relux.Action, Hashable { case fetched(usesNewPrices: Bool) }

        mutating func reduce(_ action: Action) {
            switch action {
            case .fetched(let usesNewPrices): self.usesNewPrices = usesNewPrices
            }
        }
    }

    /// Puts the service that the flag selects in the place of the other one. The states stay.
    struct Switch: Relux.Watcher {
        let old: any PriceService
        let new: any PriceService

        func watch(in context: Relux.SagaContext) async throws {
            for await usesNew in context.values(of: State.self, \.usesNewPrices) {
                try await context.replace(Prices.Module(service: usesNew ? new : old))
            }
        }
    }

    struct Module: Relux.Module {
        let old: any PriceService
        let new: any PriceService

        var states: [any Relux.State] { [State()] }
        var watchers: [any Relux.Watcher] { [Switch(old: old, new: new)] }
        var dependencies: [any Relux.Module] { [Prices.Module(service: old)] }
    }
}

enum Prices {
    struct Quote: Relux.Effect, Hashable {
        typealias Output = Int

        let article: String
    }

    struct Quoter: Relux.Flow {
        let service: any PriceService

        func run(_ quote: Quote, in context: Relux.SagaContext) async throws -> Int {
            try await service.price(of: quote.article)
        }
    }

    struct Module: Relux.Module {
        let service: any PriceService

        var flows: [any Relux.Flow] { [Quoter(service: service)] }
    }
}

protocol PriceService: Sendable {
    func price(of article: String) async throws -> Int
}
