import Relux

extension Relux.SagaContext {
    /// Makes a request with the user's token. If the server rejects the token, makes it again with a new one.
    nonisolated(nonsending) func authorized<Value>(
        _ request: nonisolated(nonsending) (_ token: String) async throws -> Value
    ) async throws -> Value {
        guard let token = try await state(of: Session.State.self).user?.token else { throw SessionError.signedOut }
        do {
            return try await request(token.value)
        } catch SessionError.rejected {
            return try await request(try await call(Session.Renew(rejected: token)).value)
        }
    }
}
