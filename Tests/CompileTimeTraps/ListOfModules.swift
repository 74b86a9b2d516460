// Modules in an array have a verb of their own. Each marked line is one error, with the text behind it.

import Relux

struct Empty: Relux.Module {}

struct Chat: Relux.Module, Identifiable {
    let id: Int
}

func modules(of store: Relux.Store, _ modules: [any Relux.Module]) async throws {
    try await store.register(Empty(), Chat(id: 1))
    try await store.register(contentsOf: modules)
    try await store.register(modules)  // error: Use `register(contentsOf:)` for a list of modules.
    try await store.register([Empty()])  // error: Use `register(contentsOf:)` for a list of modules.
}

func modules(of scope: Relux.Scope, _ modules: [any Relux.Module]) async throws {
    try await scope.register(modules)  // error: Use `register(contentsOf:)` for a list of modules.
}

func modules(in context: Relux.SagaContext, _ modules: [any Relux.Module]) async throws {
    try await context.register(modules)  // error: Use `register(contentsOf:)` for a list of modules.
}
