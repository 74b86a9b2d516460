import Relux
import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

@Suite struct PetsStateTests {
    private let setback = Pets.Setback(.offline, attempt: 1, limit: 4)

    @Test func `a load is visible from its start, and a page loads from the start`() {
        var state = Pets.State()
        state.reduce(Pets.State.Action.began)

        #expect(state.catalogue == .loading(previous: nil))
        #expect(PetPage.State(of: "a").pet == .loading(previous: nil))
    }

    @Test func `a catalogue keeps its order, and each id once`() {
        let state = Pets.State.after(.loaded([.sample("b"), .sample("a"), .sample("b", name: "Other")]))

        #expect(state.catalogue.value.map(Array.init) == [.sample("b"), .sample("a")])
        #expect(state.catalogue.isLoaded)
    }

    @Test func `what was loaded stays visible while it is reloaded, and after a failure`() {
        var state = Pets.State.after(.loaded([.sample("a")]))
        var page = PetPage.State.page(after: .loaded(.sample("a")))
        state.reduce(Pets.State.Action.began)
        page.reduce(PetPage.State.Action.began)
        #expect(state.catalogue.value?.count == 1 && page.pet == .loading(previous: .sample("a")))

        state.reduce(Pets.State.Action.failed(.offline))
        page.reduce(PetPage.State.Action.failed(.offline))

        #expect(state.catalogue.value?.count == 1 && state.catalogue.failure == .offline)
        #expect(page.pet == .failed(.offline, previous: .sample("a")))
    }

    @Test func `a failed attempt is reported until the load has ended, in whatever way`() {
        var state = Pets.State.after(.setBack(setback))
        var page = PetPage.State.page(after: .setBack(setback))
        #expect(state.setback == setback && page.setback == setback)

        for action in [Pets.State.Action.loaded([]), .failed(.offline), .cancelled] {
            #expect(Pets.State.after(.setBack(setback), action).setback == nil)
        }
        for action in [PetPage.State.Action.loaded(.sample("a")), .failed(.offline), .cancelled] {
            #expect(PetPage.State.page(after: .setBack(setback), action).setback == nil)
        }
        state.reduce(Pets.State.Action.began)
        page.reduce(PetPage.State.Action.began)
        #expect(state.setback == nil && page.setback == nil)
    }

    @Test func `a cancelled load restores what was there`() {
        #expect(PetPage.State.page(after: .cancelled).pet == .idle)
        #expect(PetPage.State.page(after: .loaded(.sample("a")), .cancelled).pet == .loaded(.sample("a")))
        #expect(Pets.State.after(.loaded([]), .cancelled).catalogue == .loaded(Relux.Entities()))
    }

    @Test func `if nothing is being loaded, nothing changes`() {
        for state in [Pets.State(), .after(.loaded([])), .after(.failed(.offline)), .after(.cancelled)] {
            for action in [Pets.State.Action.loaded([.sample("a")]), .setBack(setback), .failed(.missing), .cancelled] {
                var changed = state
                changed.reduce(action)
                #expect(changed == state)
            }
        }
        for page in [PetPage.State.page(after: .loaded(.sample("a"))), .page(after: .cancelled)] {
            let actions: [PetPage.State.Action] = [
                .loaded(.sample("a", name: "Late")), .setBack(setback), .failed(.missing), .cancelled,
            ]
            for action in actions {
                var changed = page
                changed.reduce(action)
                #expect(changed == page)
            }
        }
    }

    @Test func `what a page has loaded is remembered`() {
        var state = Pets.State()
        for action in [PetPage.State.Action.setBack(setback), .failed(.offline), .cancelled] { state.reduce(action) }
        #expect(state == Pets.State())

        state.reduce(PetPage.State.Action.loaded(.sample("a")))

        #expect(state.seen == ["a": .sample("a")])
    }

    @Test func `opening a page pushes it, unless it is the top page already`() {
        let (a, b) = (Navigation.Page.pet("a"), Navigation.Page.pet("b"))
        for (path, opened) in [([], [a]), ([b], [b, a]), ([b, a], [b, a]), ([a, b], [a, b, a])] {
            var stack = Navigation.Stack(path: path)

            stack.reduce(Pets.Command.open("a"))

            #expect(stack.path == opened)
        }
    }

    @Test func `the reducers are pure`() {
        let setback = setback
        expectPure(from: Pets.State(), seed: 6) { _, generator in
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: .loaded([.sample("a"), .sample("b")])
            case 1: .setBack(setback)
            case 2: .failed(.offline)
            case 3: .began
            default: .cancelled
            }
        }
        expectPure(from: PetPage.State(of: "a"), seed: 6) { _, generator in
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: .loaded(.sample("a"))
            case 1: .setBack(setback)
            case 2: .failed(.offline)
            case 3: .began
            default: .cancelled
            }
        }
    }
}
