import Relux
import ReluxTesting
import Testing

/// Random changes, each made to the history and to a plain list of all states with a current index.
@Suite("Undoable: against a naive model", .timeLimit(.minutes(10)))
struct UndoableModelTests {
    struct Number: Relux.UndoableState {
        typealias Action = Never

        var value = 0
    }

    struct Timeline {
        var states = [Number()]
        var place = 0
        var openKey: Int?
        let limit: Int

        mutating func change(to value: Int, key: Int?) {
            let joins = key != nil && key == openKey
            if joins {
                states[place].value = value
                if states[place] == states[place - 1] {
                    states.remove(at: place)
                    place -= 1
                    openKey = nil
                }
            } else if value != states[place].value {
                states = Array(states[...place]) + [Number(value: value)]
                states = states.suffix(limit + 1)
                place = states.count - 1
                openKey = key
            }
        }

        mutating func forget() {
            (states, place, openKey) = ([states[place]], 0, nil)
        }

        mutating func travel(by distance: Int) {
            guard states.indices.contains(place + distance) else { return }
            place += distance
            openKey = nil
        }
    }

    @Test("any sequence of changes leaves the same state and steps as the model", arguments: 0..<24)
    func agreement(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let limit = Int.random(in: 1...6, using: &random)
        var undoable = Relux.Undoable(Number(), limit: limit)
        var model = Timeline(limit: limit)

        for step in 0..<300 {
            // There are few values, so that some changes have no effect and some restore an earlier state.
            let value = Int.random(in: 0..<4, using: &random)
            let key = Int.random(in: 0..<2, using: &random)
            switch Int.random(in: 0..<40, using: &random) {
            case 0..<9:
                undoable.update(as: .step) { $0.value = value }
                model.change(to: value, key: nil)
            case 9..<22:
                undoable.update(as: .merging(key)) { $0.value = value }
                model.change(to: value, key: key)
            case 22..<26:
                undoable.update(as: .passing) { $0.value = value }
                model.states[model.place].value = value
            case 26..<31:
                undoable.reduce(.undo)
                model.travel(by: -1)
            case 31..<35:
                undoable.reduce(.redo)
                model.travel(by: 1)
            case 35:
                undoable.reduce(.forget)
                model.forget()
            default:
                undoable.reduce(.seal)
                model.travel(by: 0)
            }

            #expect(undoable.present == model.states[model.place], "seed \(seed), step \(step)")
            #expect(undoable.undoCount == model.place, "seed \(seed), step \(step)")
            #expect(undoable.redoCount == model.states.count - 1 - model.place, "seed \(seed), step \(step)")
        }
    }
}
