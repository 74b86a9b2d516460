import Relux

/// Requests work as soon as a module is registered, for whatever reason.
struct FirstLoad<Effect: Relux.Effect>: Relux.Watcher {
    let effect: Effect

    func watch(in context: Relux.SagaContext) async throws { await context.dispatch(effect) }
}
