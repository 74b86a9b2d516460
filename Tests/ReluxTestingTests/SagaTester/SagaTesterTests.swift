import Relux
import ReluxTesting
import Testing

@Suite("SagaTester", .timeLimit(.minutes(10)))
struct SagaTesterTests {
    @Test("it records what a saga dispatches, performs and sleeps for, in order")
    func order() async throws {
        let tester = try await SagaTester(Shop.Checkout(), states: [Shop.Cart(items: 2)])
        // Nothing takes `Bought` here.
        await tester.expectRefusal()
        try await tester.answer(Shop.Pay.self) { pay in .value("receipt for \(pay.amount)") }

        await tester.start(Shop.Buy(price: 5))
        let early = tester.outcome
        await tester.advance(by: .seconds(1))

        #expect(early == nil)
        #expect(
            tester.steps.map(\.description) == [
                "dispatched Shop.Cart.Action.locked(true)",
                "slept for 1 s",
                "performed Shop.Pay(amount: 10)",
                "dispatched Shop.Cart.Action.paid(\"receipt for 10\")",
                "dispatched Shop.Bought()",
            ]
        )
        #expect(tester.outcome?.description == "finished")
    }

    @Test("the actions that a saga dispatches change the given states, and can be listed by type")
    func states() async throws {
        let tester = try await SagaTester(Shop.Checkout(), states: [Shop.Cart(items: 1)])
        // Nothing takes `Bought` here.
        await tester.expectRefusal()
        try await tester.answer(Shop.Pay.self) { _ in .value("receipt") }

        await tester.start(Shop.Buy(price: 5))
        await tester.advance(by: .seconds(1))

        #expect(tester.dispatched(Shop.Cart.Action.self) == [.locked(true), .paid("receipt")])
        #expect(tester.performed(Shop.Pay.self) == [Shop.Pay(amount: 5)])
        #expect(tester.sleeps == [.seconds(1)])
        #expect(try await tester.state(of: Shop.Cart.self) == Shop.Cart(items: 0, isLocked: true, receipt: "receipt"))
    }

    @Test("a saga can cancel its own runs, all or those with one id")
    func cancelsItself() async throws {
        enum Order: Relux.Effect, Hashable { case wait(Int), stop(Int?) }
        struct Waiting: Relux.Saga {
            func policy(for order: Order) -> Relux.Policy {
                if case .wait(let id) = order { .latest(id: id) } else { .leading }
            }
            func run(_ order: Order, in context: Relux.SagaContext) async throws {
                switch order {
                case .wait(let id):
                    try await context.sleep(for: .seconds(1))
                    await context.dispatch(Shop.Cart.Action.paid("\(id)"))
                case .stop(let id?): await context.cancel(Waiting.self, id: id)
                case .stop(nil): await context.cancel(Waiting.self)
                }
            }
        }
        let one = try await SagaTester(Waiting(), states: [Shop.Cart(items: 1)])
        let all = try await SagaTester(Waiting(), states: [Shop.Cart(items: 1)])
        for tester in [one, all] {
            for id in 1...2 { await tester.start(.wait(id)) }
            await tester.start(.stop(tester === one ? 1 : nil))
            await tester.advance(by: .seconds(1))
        }

        #expect(one.dispatched(Shop.Cart.Action.self) == [.paid("2")])
        #expect(all.dispatched(Shop.Cart.Action.self) == [])
    }

    @Test("a saga that never comes to rest fails once")
    func endlessWork() async throws {
        struct Repeat: Relux.Effect, Hashable {}
        struct Repeater: Relux.Saga {
            func run(_ trigger: Repeat, in context: Relux.SagaContext) async throws { await context.dispatch(Repeat()) }
        }
        let line = Shared(0)
        let issues = try await recordedIssues {
            let tester = try await SagaTester(Repeater())
            line.value = #line + 1
            await tester.start(Repeat())
            await tester.start(Repeat())
        }

        #expect(issues.map(\.location?.line) == [line.value])
        #expect(issues.first?.text.hasPrefix("The saga doesn't come to rest") == true)
        #expect(issues.first?.text.contains("dispatched SagaTesterTests.Repeat()") == true)
    }

    @Test("an action that is dispatched synchronously inside the store fails, unless a refusal is expected")
    func insideStore() async throws {
        for isExpected in [false, true] {
            let issues = try await recordedIssues {
                let tester = try await SagaTester(Trouble.LoseSaga(), states: [Trouble.State()])
                if isExpected { await tester.expectRefusal() }
                await tester.start(Trouble.Lose(way: .insideStore))
            }

            #expect(issues.map { $0.text.contains("`send` it instead. If that") } == (isExpected ? [] : [true]))
        }
    }

    @Test("a dismissal is one of the saga's steps")
    func dismissal() async throws {
        let tester = try await SagaTester(
            Relux.Reaction(to: Shop.Bought.self) { _, context in await context.dismiss() })

        await tester.start(Shop.Bought())

        #expect(tester.dispatched(Relux.Dismissal.self).count == 1)
        #expect(tester.steps.count == 1)
    }

    @Test("what is addressed to an instance is triggered, dispatched, answered, and delivered like everything else")
    func instances() async throws {
        typealias Asked = Relux.ChildAction<Room, Room.Count>
        typealias Said = Relux.ChildAction<Room, Shop.Cart.Action>
        let tester = try await SagaTester(Room.Host(), states: [Shop.Cart(items: 1)])
        // Nothing takes `Said` before the saga waits for it.
        await tester.expectRefusal()
        try await tester.answer(Asked.self) { asked in .value(asked.id + 1) }

        await tester.start(Relux.ChildAction(Room.self, id: 4, Room.Left()))
        let early = tester.outcome
        await tester.deliver(Said(Room.self, id: 4, .paid("later")))

        #expect(early == nil)
        #expect(tester.dispatched(Said.self) == [Said(Room.self, id: 4, .locked(true))])
        #expect(tester.performed(Asked.self) == [Asked(Room.self, id: 4, Room.Count())])
        #expect(tester.dispatched(Shop.Cart.Action.self) == [.paid("5 later")])
        #expect(tester.outcome?.description == "finished")
    }

    @Test(
        "a scripted answer other than a value ends the saga as it would in a store",
        arguments: [
            (Script.failure, "failed: Declined()"), (.superseded, "superseded"), (.dropped, "dropped"),
            (.cancelled, "cancelled"),
        ]
    )
    func otherAnswers(script: Script, outcome: String) async throws {
        let tester = try await SagaTester(Shop.Checkout(), states: [Shop.Cart(items: 1)])
        try await tester.answer(Shop.Pay.self) { _ in script.answer }

        await tester.start(Shop.Buy(price: 5))
        await tester.advance(by: .seconds(1))

        #expect(tester.outcome?.description == outcome)
        #expect(tester.dispatched(Shop.Bought.self).isEmpty)
    }

    @Test("a suspended answer holds the saga until it is resumed")
    func suspension() async throws {
        let tester = try await SagaTester(Shop.Checkout(), states: [Shop.Cart(items: 1)])
        // Nothing takes `Bought` here.
        await tester.expectRefusal()
        try await tester.answer(Shop.Pay.self) { _ in .suspended }
        await tester.start(Shop.Buy(price: 5))
        await tester.advance(by: .seconds(1))

        let before = tester.outcome
        await tester.resume(Shop.Pay.self, with: .value("late"))

        #expect(before == nil)
        #expect(tester.outcome?.description == "finished")
        #expect(tester.dispatched(Shop.Cart.Action.self).last == .paid("late"))
    }

    @Test("a cancelled saga cleans up, whether asleep or suspended", arguments: [true, false])
    func cancellation(isAsleep: Bool) async throws {
        let tester = try await SagaTester(Shop.Checkout(), states: [Shop.Cart(items: 1)])
        try await tester.answer(Shop.Pay.self) { _ in .suspended }
        await tester.start(Shop.Buy(price: 5))
        if !isAsleep { await tester.advance(by: .seconds(1)) }

        await tester.cancel()

        #expect(tester.outcome?.description == "cancelled")
        #expect(tester.steps.last?.description == "dispatched Shop.Cart.Action.locked(false)")
    }

    @Test("the output of a flow is available once it has ended")
    func flows() async throws {
        let tester = try await SagaTester(Quiz.Flow(), states: [Quiz.State()])

        await tester.start(Quiz.Ask(number: 4))
        let early = tester.output
        await tester.advance(by: .seconds(1))

        #expect(early == nil)
        #expect(tester.output == 8)
        #expect(tester.steps.map(\.description) == ["dispatched Quiz.Note.asked(4)", "slept for 1 s"])
    }

    @Test("the policy is ignored: every trigger runs at once")
    func policies() async throws {
        let tester = try await SagaTester(Shop.Checkout(), states: [Shop.Cart(items: 1)])
        // Nothing takes `Bought` here.
        await tester.expectRefusal()
        try await tester.answer(Shop.Pay.self) { _ in .value("") }

        await tester.start(Shop.Buy(price: 1))
        await tester.start(Shop.Buy(price: 2))
        await tester.advance(by: .seconds(1))

        #expect(tester.performed(Shop.Pay.self).count == 2)
    }

    @Test("an effect without an answer fails at the caller's line, as does resuming an effect that isn't suspended")
    func failures() async throws {
        let tester = try await SagaTester(Shop.Checkout(), states: [Shop.Cart(items: 1)])
        let line = Shared(0)

        let issues = await recordedIssues {
            await tester.start(Shop.Buy(price: 5))
            line.value = #line + 1
            await tester.advance(by: .seconds(1))
            await tester.resume(Shop.Pay.self, with: .value(""))
        }
        #expect(tester.outcome?.description.hasPrefix("failed: No saga or flow handles the effect,") == true)

        #expect(
            issues.map(\.text) == [
                """
                The saga performed Shop.Pay(amount: 5), which has no answer. Give one before: \
                `answer(Shop.Pay.self) { … }`.
                """,
                "No Shop.Pay is suspended.",
            ]
        )
        #expect(issues.map(\.location?.line) == [line.value, line.value + 1])
    }

    @Test("effects that `actions` awaits count as performed, and need an answer")
    func awaitedEffects() async throws {
        let line = Shared(0)
        let issues = try await recordedIssues {
            let tester = try await SagaTester(Courier(), states: [Shop.Cart(items: 1)])
            line.value = #line + 1
            await tester.start(Courier.Deliver(isAwaited: true))
            #expect(tester.performed(Shop.Pay.self) == [Shop.Pay(amount: 1)])
        }
        let tester = try await SagaTester(Courier(), states: [Shop.Cart(items: 1)])
        try await tester.answer(Shop.Pay.self) { _ in .suspended }
        await tester.start(Courier.Deliver(isAwaited: true))
        let early = tester.outcome
        await tester.resume(Shop.Pay.self, with: .value(""))

        #expect(issues.map(\.text).count == 1)
        #expect(issues.first?.text.hasPrefix("The saga performed Shop.Pay(amount: 1), which has no answer.") == true)
        #expect(issues.map(\.location?.line) == [line.value])
        #expect(early == nil)
        #expect(
            tester.steps.map(\.description) == [
                "performed Shop.Pay(amount: 1)", "dispatched Shop.Cart.Action.paid(\"delivered\")",
            ]
        )
        #expect(tester.outcome?.description == "finished")
    }

    @Test("what `dispatch(…).finished()` waits for can be scripted, for effects and for plain actions")
    func awaitedDispatches() async throws {
        let tester = try await SagaTester(Courier(), states: [Shop.Cart(items: 1)])
        try await tester.answer(Shop.Pay.self) { _ in .suspended }
        try await tester.answer(Shop.Bought.self) { _ in .suspended }

        await tester.start(Courier.Deliver(isAwaited: false))
        let first = tester.steps.count
        await tester.resume(Shop.Pay.self, with: .value(""))
        let second = tester.steps.count
        await tester.resume(Shop.Bought.self, with: .value(()))

        #expect([first, second] == [1, 2])
        #expect(tester.dispatched(Shop.Cart.Action.self) == [.paid("delivered")])
    }

    @Test("an action is delivered to a saga that waits for it, and isn't one of its steps")
    func delivery() async throws {
        let tester = try await SagaTester(Listener(), states: [Shop.Cart(items: 1)])
        await tester.start(Listener.Listen())

        await tester.deliver(Shop.Cart.Action.locked(true))
        await tester.deliver(Shop.Bought())

        #expect(tester.steps.map(\.description) == ["dispatched Shop.Cart.Action.paid(\"heard\")"])
        #expect(try await tester.state(of: Shop.Cart.self).isLocked)
        #expect(tester.outcome?.description == "finished")
    }

    @Test("the reducers of a saga's module can be given")
    func reducers() async throws {
        let tester = try await SagaTester(
            Shop.Checkout(),
            states: [Shop.Cart(items: 1)],
            reducers: [.init(of: Shop.Cart.self, on: Shop.Bought.self) { cart, _ in cart.isLocked = false }]
        )
        try await tester.answer(Shop.Pay.self) { _ in .value("") }

        await tester.start(Shop.Buy(price: 1))
        await tester.advance(by: .seconds(1))

        #expect(try await !tester.state(of: Shop.Cart.self).isLocked)
    }

    @Test("an action that nothing takes fails at the step")
    func untaken() async throws {
        let line = Shared(0)
        let issues = try await recordedIssues {
            let tester = try await SagaTester(Shop.Checkout(), states: [Shop.Cart(items: 1)])
            try await tester.answer(Shop.Pay.self) { _ in .value("") }
            await tester.start(Shop.Buy(price: 1))
            line.value = #line + 1
            await tester.advance(by: .seconds(1))
        }

        #expect(
            issues.map(\.text) == [
                """
                Nothing takes Shop.Bought(). Give the tester what does: a state (`states:`), a reducer (`reducers:`), \
                or an answer (`answer(Shop.Bought.self) { … }`). If nothing should take it, state that before: \
                `expectRefusal()`.
                """
            ]
        )
        #expect(issues.map(\.location?.line) == [line.value])
    }

    @Test("a refused write fails at the step")
    func refusedWrite() async throws {
        let issues = try await recordedIssues {
            let tester = try await SagaTester(Stubborn(), states: [Shop.Cart(items: 1)])
            await tester.start(Stubborn.Write())
            await tester.cancel()
        }
        let tester = try await SagaTester(Stubborn(), states: [Shop.Cart(items: 1)])
        await tester.expectRefusal()
        await tester.start(Stubborn.Write())
        await tester.cancel()

        #expect(issues.count == 1)
        #expect(issues.first?.text.contains("is no longer active") == true)
    }

    @Test("an error that the test never reads fails when the tester is released, at the line of its creation")
    func unreadError() async throws {
        let line = Shared(0)
        func fail(_ check: (SagaTester<Trouble.Fail>) async -> Void) async throws -> [RecordedIssue] {
            try await recordedIssues {
                line.value = #line + 1
                let tester = try await SagaTester(Trouble.FailSaga())
                await check(tester)
            }
        }

        let unread = try await fail { await $0.start(Trouble.Fail()) }
        let halfRead = try await fail { tester in
            await tester.start(Trouble.Fail())
            await tester.start(Trouble.Fail())
            #expect(tester.outcome?.description == "failed: Failure()")
        }
        let expected = try await fail { tester in
            await tester.expectFailure(Trouble.Failure.self)
            await tester.start(Trouble.Fail())
        }
        let unmet = try await fail { await $0.expectFailure(Trouble.Failure.self) }

        #expect(
            unread.map(\.text) == [
                """
                Nobody received the error of Trouble.FailSaga #1: Trouble.Failure(). If that is right, state it \
                before: `expectFailure(Trouble.Failure.self)`.
                """
            ]
        )
        #expect(unread.map(\.location?.line) == [line.value])
        #expect(halfRead.count == 1)
        #expect(expected.isEmpty)
        #expect(unmet.count == 1)
    }

    @Test("releasing the last reference to a tester releases it and its unfinished work")
    func lifetime() async throws {
        let released: Weak<SagaTester<Shop.Buy>>
        let held: Weak<Token>
        do {
            let token = Token()
            held = Weak(token)
            let tester = try await SagaTester(Shop.Checkout(token: token), states: [Shop.Cart(items: 1)])
            released = Weak(tester)
            try await tester.answer(Shop.Pay.self) { _ in .suspended }
            await tester.start(Shop.Buy(price: 5))
            await tester.advance(by: .seconds(1))
        }

        #expect(released.object == nil)
        #expect(held.object == nil)
    }

    enum Script: Sendable {
        case failure, superseded, dropped, cancelled

        var answer: SagaAnswer<String> {
            switch self {
            case .failure: .failure(Declined())
            case .superseded: .superseded
            case .dropped: .dropped
            case .cancelled: .cancelled
            }
        }
    }
}

private struct Declined: Error {}

/// Awaits what it doesn't perform.
private struct Courier: Relux.Saga {
    struct Deliver: Relux.Effect {
        let isAwaited: Bool
    }

    func run(_ trigger: Deliver, in context: Relux.SagaContext) async throws {
        if trigger.isAwaited {
            await context.actions {
                Shop.Pay(amount: 1)
                Shop.Cart.Action.paid("delivered")
            }
        } else {
            await context.dispatch(Shop.Pay(amount: 1)).finished()
            await context.dispatch(Shop.Bought()).finished()
            await context.dispatch(Shop.Cart.Action.paid("delivered"))
        }
    }
}

/// Waits for an action.
private struct Listener: Relux.Saga {
    struct Listen: Relux.Effect {}

    func run(_ trigger: Listen, in context: Relux.SagaContext) async throws {
        for await _ in context.actionStream(of: Shop.Bought.self) { break }
        await context.dispatch(Shop.Cart.Action.paid("heard"))
    }
}

/// Writes although it has been cancelled.
private struct Stubborn: Relux.Saga {
    struct Write: Relux.Effect {}

    func run(_ trigger: Write, in context: Relux.SagaContext) async throws {
        try? await context.sleep(for: .seconds(1))
        await context.dispatch(Shop.Cart.Action.locked(true))
    }
}

final class Token: Sendable {}

private enum Shop {
    struct Buy: Relux.Effect, Hashable {
        let price: Int
    }

    struct Pay: Relux.Effect, Hashable {
        typealias Output = String

        let amount: Int
    }

    struct Bought: Relux.Action {}

    struct Cart: Relux.State {
        enum Action: Relux.Action, Hashable {
            case locked(Bool)
            case paid(String)
        }

        var items: Int
        var isLocked = false
        var receipt: String?

        mutating func reduce(_ action: Action) {
            switch action {
            case .locked(let isLocked): self.isLocked = isLocked
            case .paid(let receipt):
                items = 0
                self.receipt = receipt
            }
        }
    }

    struct Checkout: Relux.Saga {
        var token: Token?

        func policy(for trigger: Buy) -> Relux.Policy { .leading }
        func actionOnCancel(_ trigger: Buy) -> (any Relux.Action)? { Cart.Action.locked(false) }

        func run(_ trigger: Buy, in context: Relux.SagaContext) async throws {
            let items = try await context.state(of: Cart.self).items
            await context.dispatch(Cart.Action.locked(true))
            try await context.sleep(for: .seconds(1))
            do {
                let receipt = try await context.perform(Pay(amount: trigger.price * items))
                await context.dispatch(Cart.Action.paid(receipt))
            } catch .failed(let error) {
                throw error
            }
            context.send(Bought())
        }
    }
}

/// A module with instances, and a saga around them.
private struct Room: Relux.Module, Identifiable {
    struct Count: Relux.Effect, Hashable {
        typealias Output = Int
    }

    struct Left: Relux.Broadcast, Hashable {}

    struct Host: Relux.Saga {
        func run(_ trigger: Relux.ChildAction<Room, Left>, in context: Relux.SagaContext) async throws {
            let id = trigger.id
            await context.dispatch(Relux.ChildAction(Room.self, id: id, Shop.Cart.Action.locked(true)))
            let count = try await context.perform(Relux.ChildAction(Room.self, id: id, Count()))
            let said = try await context.first(of: Relux.ChildAction<Room, Shop.Cart.Action>.self)
            if case .paid(let text) = said.action { await context.dispatch(Shop.Cart.Action.paid("\(count) \(text)")) }
        }
    }

    let id: Int
}
