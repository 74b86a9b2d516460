// Selections are compared, and tuples can't be. Each marked line is one error, with the text behind it.

import Relux

struct Items: Relux.State {
    var count = 0
    var name = ""
    var isOpen = false

    mutating func reduce(_ action: Never) {}
}

func selections(from store: Relux.Store) {
    _ = store.values(of: Items.self) { $0.count }
    _ = store.values { reader in reader[Items.self]?.name }
    _ = store.values(of: Items.self) { ($0.count, $0.name) }  // error: Select an Equatable struct instead.
    _ = store.values(of: Items.self) { ($0.count, $0.name, $0.isOpen) }  // error: Select an Equatable struct instead.
    _ = store.values { reader in (1, reader[Items.self]?.name) }  // error: Select an Equatable struct instead.
}

func selections(from scope: Relux.Scope) {
    _ = scope.values(of: Items.self) { ($0.count, $0.name) }  // error: Select an Equatable struct instead.
}

func selections(in context: Relux.SagaContext) {
    _ = context.values(of: Items.self) { ($0.count, $0.name) }  // error: Select an Equatable struct instead.
    _ = context.values { reader in  // error: Select an Equatable struct instead.
        let items = reader[Items.self]
        return (items?.count, items?.name)
    }
}
