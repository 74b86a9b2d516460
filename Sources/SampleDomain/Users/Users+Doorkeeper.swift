import Relux
import SampleServices

extension Users {
    /// Records arrivals and departures, one after the other, as requested by a ``Command``.
    struct Doorkeeper: Relux.Flow {
        let service: any UsersService

        func policy(for command: Command) -> Relux.Policy { .serial }

        func run(_ command: Command, in context: Relux.SagaContext) async throws -> Passage {
            let name = try name(in: command)
            do throws(UsersServiceError) {
                return switch command {
                case .arrive: try await service.arrive(name)
                case .leave: try await service.leave(name)
                }
            } catch {
                if error.reason == .cancelled, Task.isCancelled { throw CancellationError() }
                throw UsersError.notNoted(error)
            }
        }

        private func name(in command: Command) throws(UsersError) -> User.Name {
            let text =
                switch command {
                case .arrive(let name), .leave(let name): name
                }
            do {
                return try User.Name(text)
            } catch {
                throw .noName(text, error)
            }
        }
    }
}
