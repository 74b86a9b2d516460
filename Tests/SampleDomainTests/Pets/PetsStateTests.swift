import Relux
import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

@Suite struct PetsStateTests {
    private let setback = Pets.Setback(.offline, attempt: 1, limit: 4)

    private func state(_ steps: Step...) -> Pets.State {
        steps.reduce(into: Pets.State()) { state, step in step.reduce(&state) }
    }

    @Test func `a load is visible from the moment it is requested`() {
        let state = state(.effect(.load(.catalogue)), .effect(.load(.pet("a"))))

        #expect(state.catalogue == .loading(previous: nil))
        #expect(state.details(of: "a") == .loading(previous: nil))
        #expect(state.details(of: "b") == .idle)
    }

    @Test func `a catalogue keeps its order, and each id once`() {
        let state = Pets.State.after(.catalogueLoaded([.sample("b"), .sample("a"), .sample("b", name: "Other")]))

        #expect(state.catalogue.value.map(Array.init) == [.sample("b"), .sample("a")])
        #expect(state.catalogue.isLoaded)
    }

    @Test func `what was loaded stays visible while it is reloaded, and after a failure`() {
        var state = Pets.State.after(.catalogueLoaded([.sample("a")]), .petLoaded(.sample("a")))
        state.reduce(.load(.catalogue))
        state.reduce(.load(.pet("a")))
        #expect(state.catalogue.value?.count == 1 && state.details(of: "a") == .loading(previous: .sample("a")))

        state.reduce(.loadFailed(.catalogue, .offline))
        state.reduce(.loadFailed(.pet("a"), .offline))

        #expect(state.catalogue.value?.count == 1 && state.catalogue.failure == .offline)
        #expect(state.details(of: "a") == .failed(.offline, previous: .sample("a")))
    }

    @Test func `a failed attempt is reported until the load has ended, in whatever way`() {
        let waiting: [Step] = [.effect(.load(.pet("a"))), .action(.setBack(.pet("a"), setback))]
        let ends: [Step] = [
            .action(.petLoaded(.sample("a"))), .action(.loadFailed(.pet("a"), .offline)),
            .action(.loadCancelled(.pet("a"))), .effect(.load(.pet("a"))),
        ]

        var state = Pets.State()
        for step in waiting { step.reduce(&state) }
        #expect(state.setback(of: .pet("a")) == setback && state.setback(of: .catalogue) == nil)

        for end in ends {
            var state = state
            end.reduce(&state)
            #expect(state.setback(of: .pet("a")) == nil)
        }
    }

    @Test func `a cancelled load restores what was there`() {
        let first = state(.effect(.load(.pet("a"))), .action(.loadCancelled(.pet("a"))))
        let later = Pets.State.after(.petLoaded(.sample("a")), .loadCancelled(.pet("a")))

        #expect(first.details(of: "a") == .idle)
        #expect(later.details(of: "a") == .loaded(.sample("a")))
    }

    @Test func `if nothing is being loaded, nothing changes, as after going back`() {
        let actions: [Pets.State.Action] = [
            .catalogueLoaded([]), .petLoaded(.sample("a", name: "Late")), .setBack(.pet("a"), setback),
            .loadFailed(.pet("a"), .offline), .loadFailed(.catalogue, .offline), .loadCancelled(.catalogue),
        ]
        let states: [Pets.State] = [
            Pets.State(), .after(.petLoaded(.sample("a"))), .after(.loadFailed(.pet("a"), .missing)),
            .after(.loadCancelled(.pet("a"))),
        ]

        for state in states {
            for action in actions {
                var changed = state
                changed.reduce(action)
                #expect(changed == state)
            }
        }
    }

    @Test func `a summary is that of the page, or else of the catalogue`() {
        let state = Pets.State.after(
            .catalogueLoaded([.sample("a", name: "Old"), .sample("b")]), .petLoaded(.sample("a", name: "New"))
        )

        #expect(state.summary(of: "a")?.name == "New")
        #expect(state.summary(of: "b") == .sample("b"))
        #expect(state.summary(of: "c") == nil)
    }

    @Test func `whatever happens, a page has its own pet, and no attempt of a finished load is reported`() {
        let subjects: [Pets.Subject] = [.catalogue, .pet("a"), .pet("b")]
        let steps =
            subjects.flatMap { subject -> [Step] in
                [
                    .effect(.load(subject)), .action(.setBack(subject, setback)),
                    .action(.loadFailed(subject, .offline)), .action(.loadCancelled(subject)),
                ]
            } + [
                .action(.catalogueLoaded([.sample("a")])), .action(.petLoaded(.sample("a"))),
                .action(.petLoaded(.sample("b"))),
            ]

        StateSpace.explore(from: Explored(), actions: steps, depth: 4) { explored in
            let state = explored.state
            let pages = ["a", "b"].map { (id: $0, loadable: state.details(of: $0)) }
            return pages.allSatisfy { id, loadable in
                (loadable.value.map { $0.id == id } ?? true)
                    && (state.setback(of: .pet(id)) == nil || loadable.isLoading)
            } && (state.setback(of: .catalogue) == nil || state.catalogue.isLoading)
        }
    }

    @Test func `the reducer is pure`() {
        let setback = setback
        expectPure(from: Pets.State(), seed: 6) { _, generator in
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: .catalogueLoaded([.sample("a"), .sample("b")])
            case 1: .petLoaded(.sample("a"))
            case 2: .setBack(.pet("a"), setback)
            case 3: .loadFailed(.pet("a"), .offline)
            default: .loadCancelled(.pet("a"))
            }
        }
    }
}

/// An action of the state or an effect: anything that changes the state.
private enum Step: Relux.Action {
    case action(Pets.State.Action)
    case effect(Pets.Effect)

    func reduce(_ state: inout Pets.State) {
        switch self {
        case .action(let action): state.reduce(action)
        case .effect(let effect): state.reduce(effect)
        }
    }
}

private struct Explored: Relux.State {
    var state = Pets.State()

    mutating func reduce(_ action: Step) { action.reduce(&state) }
}
