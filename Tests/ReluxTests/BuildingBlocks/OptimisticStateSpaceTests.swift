import Relux
import ReluxTesting
import Testing

/// Every order of a few requests and their answers, compared with a list that applies everything again each time.
@Suite("Optimistic: every order of answers", .timeLimit(.minutes(10)))
struct OptimisticStateSpaceTests {
    @Test("after any event, the values are those of a list that applies everything again")
    func agreement() {
        let report = StateSpace.explore(
            from: Desk(),
            actions: Desk.Event.all,
            invariants: Desk.invariants,
            reduce: { $0.take($1) }
        )

        // Three confirmed values, and up to three requests in any order, with two changes each. All but the first may
        // be confirmed.
        #expect(report.states == 3 * (1 + 3 * 2 + 6 * 2 * 4 + 6 * 2 * 4 * 4))
        #expect(report.isComplete)
    }
}

private struct Desk: Hashable {
    /// Changes that give other results in another order.
    enum Change: Relux.Mutation, Hashable, CaseIterable {
        case double, increment

        func apply(to value: inout Int) {
            switch self {
            case .double: value = value * 2 % 3
            case .increment: value = (value + 1) % 3
            }
        }
    }

    enum Event: Hashable {
        case applied(Change, Int), confirmed(Int), rejected(Int), refreshed(Int)

        static let all: [Event] =
            (1...3).flatMap { id in
                Change.allCases.map { .applied($0, id) } + [.confirmed(id), .rejected(id)]
            } + [.refreshed(2)]
    }

    struct Request: Hashable {
        let id: Int
        var change: Change
        var isConfirmed = false
    }

    private(set) var number = Relux.Optimistic<Int, Change>(0)
    private(set) var base = 0
    private(set) var requests: [Request] = []

    static let invariants: [StateSpace.Invariant<Desk>] = [
        .init("the confirmed value is that of the answers that wait for no earlier one") { desk in
            desk.number.confirmed == desk.base
        },
        .init("the value is the confirmed one with all requests applied") { desk in
            desk.number.value == desk.requests.reduce(into: desk.base) { $1.change.apply(to: &$0) }
        },
        .init("the mutations under way are those of the requests, in order") { desk in
            desk.number.mutations == desk.requests.map(\.change)
        },
        .init("it is settled when no request is left") { $0.number.isSettled == $0.requests.isEmpty },
        .init("a request is under way until it is settled") { desk in
            (1...3).allSatisfy { id in desk.number.isUnderWay(id: id) == desk.requests.contains { $0.id == id } }
        },
    ]

    mutating func take(_ event: Event) {
        switch event {
        case .applied(let change, let id):
            number.apply(change, id: id)
            if let position = requests.firstIndex(where: { $0.id == id }) {
                requests[position] = Request(id: id, change: change)
            } else {
                requests.append(Request(id: id, change: change))
            }
        case .confirmed(let id):
            number.confirmed(id: id)
            if let position = requests.firstIndex(where: { $0.id == id }) { requests[position].isConfirmed = true }
        case .rejected(let id):
            number.rejected(id: id)
            requests.removeAll { $0.id == id && !$0.isConfirmed }
        case .refreshed(let value):
            number.refreshed(value)
            base = value
        }
        let settled = requests.prefix(while: \.isConfirmed)
        for request in settled { request.change.apply(to: &base) }
        requests.removeFirst(settled.count)
    }
}
