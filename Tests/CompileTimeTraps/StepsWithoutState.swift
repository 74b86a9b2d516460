// A step that states a change says of which state. Each marked line is one error, with the text behind it.

import Relux
import ReluxTesting
import Testing

struct Counter: Relux.State {
    var count = 0
    var name: String?
    var numbers: [Int] = []
    var items: Relux.Entities<Item> = []

    struct Item: Identifiable, Hashable {
        let id: Int
        var title = ""
    }

    enum Action: Relux.Action, Hashable { case up, loaded([Int]) }

    mutating func reduce(_ action: Action) {}
}

struct Room: Relux.Module, Identifiable {
    let id: Int
}

func dispatches(to store: TestStore) async {
    await store.dispatch(Counter.Action.up)
    await store.dispatch(.up, to: Counter.self)
    await store.dispatch(.up, to: Counter.self) { $0.count = 1 }
    await store.dispatch(Counter.Action.up) { (counter: inout Counter) in counter.count = 1 }
    await store.dispatch(Counter.Action.up) { $0.count = 1 }  // error: Name the state: `dispatch(.up, to:
    await store.dispatch(Counter.Action.up) { $0.count += 1 }  // error: Name the state: `dispatch(.up, to:
    await store.dispatch(Counter.Action.up) { $0.name = nil }  // error: Name the state: `dispatch(.up, to:
    await store.dispatch(Counter.Action.up) { $0.numbers = [1] }  // error: Name the state: `dispatch(.up, to:
    await store.dispatch(Counter.Action.up) { $0.numbers[0] = 1 }  // error: Name the state: `dispatch(.up, to:
    await store.dispatch(Counter.Action.up) { $0.items[id: 1]?.title = "a" }  // error: Name the state: `dispatch(.up
    await store.dispatch(Counter.Action.up) { counter in counter.count = 1 }  // error: Name the state: `dispatch(.up
    await store.dispatch(Counter.Action.up) {  // error: Name the state: `dispatch(.up, to: Counter.State.self) {
        $0.numbers.append(1)
        $0.count = 1
    }
    await store.dispatch(.up)  // error: type 'ActionOfUnnamedState' has no member 'up'
    await store.dispatch(.loaded([1]))  // error: type 'ActionOfUnnamedState' has no member 'loaded'
    await store.dispatch(.up) { $0.count = 1 }  // error: type 'ActionOfUnnamedState' has no member 'up'
}

func receives(from store: TestStore) async {
    await store.receive(Counter.Action.up)
    await store.receive(Counter.Action.self)
    await store.receive(.up, in: Counter.self) { $0.count = 1 }
    await store.receive(Counter.Action.up) { (counter: inout Counter) in counter.count = 1 }
    await store.receive(Counter.Action.up) { $0.count = 1 }  // error: Name the state: `receive(.up, in:
}

func scopes(of store: TestStore) async {
    let room = store.scope(of: Room.self, id: 1)
    await room.dispatch(.up, to: Counter.self) { $0.count = 1 }
    await room.receive(.up, in: Counter.self) { $0.count = 1 }
    await room.dispatch(Counter.Action.up) { $0.count = 1 }  // error: Name the state: `dispatch(.up, to:
    await room.receive(Counter.Action.up) { $0.count = 1 }  // error: Name the state: `receive(.up, in:
    await room.dispatch(.up)  // error: type 'ActionOfUnnamedState' has no member 'up'
}
