// An id has no meaning for the plain concurrent policy. Each marked line is one error, with the text behind it.

import Relux

enum Effect: Relux.Effect { case load(Int) }

struct Saga: Relux.Saga {
    func policy(for effect: Effect) -> Relux.Policy {
        switch effect {
        case .load(let id): .concurrent(id: id)  // error: Use `.concurrent`, or `.concurrent(limit:id:)`
        }
    }

    func run(_ effect: Effect, in context: Relux.SagaContext) async throws {}
}

func policies() -> [Relux.Policy] {
    [
        .latest(id: 1),
        .concurrent(limit: 2, id: 1),
        .concurrent(id: "a"),  // error: Concurrent runs are related to no others, so an id would have no meaning.
    ]
}

func inLane() -> Relux.Policy {
    Relux.Policy.concurrent(id: 1).in(Relux.Lane("a"))  // error: Use `.concurrent`, or `.concurrent(limit:id:)`
}
