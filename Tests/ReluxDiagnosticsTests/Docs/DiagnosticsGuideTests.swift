import Foundation
import Relux
import ReluxDiagnostics
import ReluxTesting
import Testing

// The snippets of Docs/Diagnostics.md, word for word. Tools/check-docs compares them.

enum Cart {
    struct Contents: Sendable, Equatable, Codable {
        var lines: [String: Int] = [:]
        var discount = 0
    }

    struct State: Relux.State, Codable {
        var contents = Contents()
        var isRefreshing = false

        enum Action: Relux.Action, Codable {
            case refreshed(Contents)
            case discounted(Int)
        }

        mutating func reduce(_ action: Action) {
            switch action {
            case .refreshed(let contents):
                self.contents = contents
                isRefreshing = false
            case .discounted(let percent):
                contents.discount = percent
            }
        }
    }

    enum Effect: Relux.Effect, Codable { case refresh }

    struct Refresher: Relux.Saga {
        let service: any CartService

        func run(_ effect: Effect, in context: Relux.SagaContext) async throws {
            let contents = try await service.contents()
            await context.dispatch(State.Action.refreshed(contents))
        }
    }

    struct Module: Relux.Module {
        let service: any CartService

        var states: [any Relux.State] { [State()] }
        var reducers: [Relux.Reducer] {
            [.init(of: State.self, on: Effect.self) { state, _ in state.isRefreshing = true }]
        }
        var sagas: [any Relux.Saga] { [Refresher(service: service)] }
    }
}

protocol CartService: Sendable {
    func contents() async throws -> Cart.Contents
}

/// A server that knows the cart as it was when the request arrived.
struct SlowServer: CartService {
    let clock: ManualClock

    func contents() async throws -> Cart.Contents {
        try await clock.sleep(for: .seconds(1))
        return Cart.Contents(lines: ["Tea": 3])
    }
}

struct SimulatedServer: CartService {
    let world: Simulation.World

    func contents() async throws -> Cart.Contents {
        try await world.latency(.milliseconds(20) ... .milliseconds(900))
        return Cart.Contents(lines: ["Tea": 3])
    }
}

@Suite("The guide to diagnostics", .timeLimit(.minutes(10)))
struct DiagnosticsGuideTests {
    /// What the user of the report did, recorded.
    private func recorded() async throws -> Relux.TraceRecorder {
        let clock = ManualClock()
        let recorder = Relux.TraceRecorder(states: .changed(of: [Cart.State.self]))
        let store = try await Relux.Store(.init(clock: clock, observers: [recorder])) {
            Cart.Module(service: SlowServer(clock: clock))
        }
        let refresh = await store.dispatch(Cart.Effect.refresh, fileID: "Shop/AppDelegate.swift", line: 41)
        await store.dispatch(Cart.State.Action.discounted(20), fileID: "Shop/CheckoutView.swift", line: 88)
        await clock.sleepers(atLeast: 1)
        await clock.advance(by: .seconds(1))
        await refresh.finished()
        return recorder
    }

    @Test("the question leads to the cause")
    func why() async throws {
        let recorder = try await recorded()

        let why = recorder.why(Cart.State.self, \.contents.discount)

        #expect(
            why.description == """
                Cart.State.contents.discount changed from 20 to 0
                  by #3 Cart.State.Action.refreshed(Cart.Contents(lines: ["Tea": 3], discount: 0))
                      at 1 s, \(why.action?.callSite ?? "")
                  in Cart.Refresher #1, from 0 s until 1 s, finished
                  for #1 Cart.Effect.refresh
                      at 0 s, Shop/AppDelegate.swift:41
                  which began at Shop/AppDelegate.swift:41
                """
        )
        #expect(recorder.trace.why("Cart.State.contents.discount").description == why.description)
    }

    @Test("the states around the change")
    func states() async throws {
        let recorder = try await recorded()

        let machine = Relux.TimeMachine(recorder.trace)
        let before: Cart.State? = machine.state(at: 2)
        let after: Cart.State? = machine.state(at: 3)

        #expect(before?.contents.discount == 20)
        #expect(after?.contents.discount == 0)
        #expect(machine.verify().isPure)
    }

    @Test("the simulation finds the race, and draws it")
    func simulation() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "guide-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        await withKnownIssue {
            await Simulation.explore(seeds: 0..<200, traces: folder) { world in
                let store = try await world.store { Cart.Module(service: SimulatedServer(world: world)) }
                world.finally("the discount stays", of: Cart.State.self) { $0.contents.discount == 20 }

                await store.dispatch(Cart.Effect.refresh)
                try await world.latency(.milliseconds(0) ... .milliseconds(500))
                await store.dispatch(Cart.State.Action.discounted(20))
            }
        }

        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
        let file = try #require(names.first { $0.hasSuffix(".jsonl") })
        expectReplay(folder.appending(path: file), of: [Cart.State.Action.self, Cart.Effect.self]) {
            Cart.Module(service: SlowServer(clock: ManualClock()))
        }
    }

    @Test("the flight recorder has no payloads")
    func flight() async throws {
        let recorder = Relux.FlightRecorder(capacity: 500)
        let store = try await Relux.Store(.init(clock: ManualClock(), observers: [recorder])) {
            Cart.Module(service: SlowServer(clock: ManualClock()))
        }
        await store.dispatch(Cart.State.Action.discounted(20), fileID: "Shop/CheckoutView.swift", line: 88)

        let attachment = recorder.lines(last: 100).joined(separator: "\n")

        #expect(attachment == "0 s #1 Cart.State.Action.discounted (Shop/CheckoutView.swift:88)")
    }
}
