import Relux
import ReluxTesting
import Testing

@Suite("Screens in simulations", .timeLimit(.minutes(10)))
struct SimulatedScreensTests {
    private typealias Action = Form.Action

    @Test("view states of two stores, bindings, drafts, and callbacks agree with their stores, over 300 seeds")
    func twoStores() async {
        let report = await Simulation.explore(seeds: 0..<300) { world in
            let stores = [
                try await world.store { Form.Module() }, try await world.store { Form.Module() },
            ]
            for (number, store) in stores.enumerated() {
                world.task("dispatcher \(number)") {
                    for _ in 0..<3 { await store.dispatch(Action.counted) }
                    store.send(Action.pathChanged([number]))
                }
                world.task("screen \(number)") {
                    let (view, count) = try await world.onMainActor {
                        (try store.viewState(of: Form.self), try store.viewState(of: Form.self, \.count))
                    }
                    let title = try await world.onMainActor {
                        view.binding(\.title, sending: Action.titleChanged)
                    }
                    try await world.onMainActor {
                        title.wrappedValue = "typed"
                        #expect(title.wrappedValue == "TYPED")
                        #expect(view.value.count == count.value)
                    }
                    try await world.onMainActor {
                        let draft = Relux.UI.Draft(title)
                        draft.value = "draft \(number)"
                        draft.commit()
                        #expect(draft.value == "DRAFT \(number)")
                        Relux.UI.ViewCallback(sending: Action.toggled(true), to: store.dispatcher).fire()
                        #expect(view.value.isOn)
                        #expect(view.value.count == count.value)
                    }
                    try await store.wait(until: Form.self) { $0.count == 3 && !$0.path.isEmpty }
                    // One that is made now brings all others to the same point.
                    try await world.onMainActor {
                        let late = try store.viewState(of: Form.self)
                        #expect(late.value == view.value)
                        #expect(count.value == 3)
                        #expect(late.value.path == [number])
                    }
                }
            }
        }

        #expect(report.failure == nil, "\(report)")
    }

    @Test("what an awaited action has changed is shown before what a screen does after it, over 200 seeds")
    func order() async {
        let report = await Simulation.explore(seeds: 0..<200) { world in
            let store = try await world.store { Form.Module() }
            let view = try await world.onMainActor { try store.viewState(of: Form.self, \.count) }
            world.task("other") { await store.dispatch(Action.toggled(true)) }
            for count in 1...3 {
                await store.dispatch(Action.counted)
                try await world.onMainActor { #expect(view.value == count) }
            }
        }

        #expect(report.failure == nil, "\(report)")
    }

    @Test("an update is a point of the schedule: some seeds find a screen that lags, and none finds a torn one")
    func schedules() async {
        let lags = Trace<Bool>()
        let report = await Simulation.explore(seeds: 0..<200) { world in
            let store = try await world.store { Form.Module() }
            let views = try await world.onMainActor {
                [try store.viewState(of: Form.self, \.count), try store.viewState { $0[Form.self]?.count ?? 0 }]
            }
            world.task("elsewhere") { await store.dispatch(Action.counted) }
            try await world.onMainActor {
                #expect(views[0].value == views[1].value)
                lags.note(views[0].value < (try store.stateNow(of: Form.self).count))
            }
        }

        #expect(report.failure == nil, "\(report)")
        #expect(Set(lags.entries) == [true, false])
    }
}
