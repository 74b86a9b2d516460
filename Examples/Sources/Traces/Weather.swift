import Relux

/// Shows the weather where the user is.
enum Weather {
    struct State: Relux.State, Hashable {
        var forecast: String?

        enum Action: Relux.Action, Hashable { case forecast(String) }

        mutating func reduce(_ action: Action) {
            switch action {
            case .forecast(let forecast): self.forecast = forecast
            }
        }
    }

    struct Refresh: Relux.Effect, Hashable {}

    struct Locate: Relux.Effect, Hashable { typealias Output = String }

    struct Refresher: Relux.Saga {
        let service: any WeatherService

        func policy(for refresh: Refresh) -> Relux.Policy { .latest }

        func run(_ refresh: Refresh, in context: Relux.SagaContext) async throws {
            let place = try await context.call(Locate())
            await context.dispatch(State.Action.forecast(try await service.forecast(for: place)))
        }
    }

    struct Locator: Relux.Flow {
        let service: any WeatherService

        func run(_ locate: Locate, in context: Relux.SagaContext) async throws -> String { try await service.place() }
    }

    struct Module: Relux.Module {
        let service: any WeatherService

        var states: [any Relux.State] { [State()] }
        var sagas: [any Relux.Saga] { [Refresher(service: service)] }
        var flows: [any Relux.Flow] { [Locator(service: service)] }
    }
}

protocol WeatherService: Sendable {
    func place() async throws -> String
    func forecast(for place: String) async throws -> String
}
