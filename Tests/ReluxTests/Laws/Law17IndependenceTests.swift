import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Law 17: independence", .timeLimit(.minutes(10)))
struct Law17IndependenceTests {
    @Test("Hundreds of stores with the same modules count independently at the same time")
    func countForThemselves() async throws {
        let module = Part<TagA>(
            states: [Counter<TagA>()],
            sagas: [
                WorkSaga(policy: .serial) { work, context in
                    await context.dispatch(Log.Action.add(work.name))
                    context.send(Counter<TagA>.Add())
                }
            ],
            flows: [QuestionFlow { question, _ in question.number }],
            dependencies: [Log.Module()]
        )

        let results = try await withThrowingTaskGroup { group in
            for number in 0..<300 {
                group.addTask {
                    let store = try await Relux.Store { module }
                    for step in 1...(number % 7 + 1) { try await store.perform(Work(name: "\(number).\(step)")) }
                    let answer = try await store.perform(Question(number: number))
                    let log = try await store.state(of: Log.self).entries
                    let count = await store.count(of: TagA.self)
                    let sequence = await store.dispatch(Counter<TagA>.Add()).sequence
                    let expected = (1...(number % 7 + 1)).map { "\(number).\($0)" }
                    return answer == number && log == expected && count == log.count
                        && sequence == UInt64(3 * log.count + 2)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(results.count == 300)
        #expect(results.allSatisfy { $0 })
    }

    @Test("The end of one store doesn't affect the others", arguments: [true, false])
    func endsAlone(isReleased: Bool) async throws {
        let world = SeededExecutor(seed: 17)
        let gate = Gate()
        let trace = Trace<String>()
        let module = Part<TagA>(
            states: [Counter<TagA>()],
            sagas: [
                WorkSaga { work, context in
                    await gate.pass()
                    await context.dispatch(Counter<TagA>.Add())
                    trace.note("\(work.name) \(Task.isCancelled)")
                }
            ]
        )
        var one: Relux.Store? = Relux.Store(.init(executor: world))
        let other = Relux.Store(.init(executor: world))
        try await one?.register(module)
        try await other.register(module)
        await world.settle { [dispatcher = one?.dispatcher] in await dispatcher?.dispatch(Work(name: "one")) }
        await world.settle { await other.dispatch(Work(name: "other")) }

        if isReleased {
            one = nil
            await world.rest()
        } else {
            await world.settle { [one] in await one?.shutdown() }
        }
        gate.open()
        await world.rest()

        #expect(trace.entries.sorted() == ["one true", "other false"])
        #expect(await other.count(of: TagA.self) == 1)
    }

    @Test("A run means nothing to another store, which neither spares it nor treats its writes as stale")
    func runsAreForeign() async throws {
        let world = SeededExecutor(seed: 17)
        let gate = Gate()
        let deaf = Gate()
        let other = Relux.Store(.init(executor: world))
        try await other.register(
            Part<TagB>(
                states: [Counter<TagB>()],
                sagas: [WorkSaga { _, context in await context.dispatch(Counter<TagB>.Add(amount: 100)) }],
                flows: [
                    QuestionFlow { _, context in
                        await deaf.pass()
                        await context.dispatch(Counter<TagB>.Add(amount: 1_000))
                        return 1
                    }
                ]
            )
        )
        let store = Relux.Store(.init(executor: world))
        try await store.register(
            WorkSaga { _, context in
                await other.dispatch(Counter<TagB>.Add())
                await other.reset()
                try await other.perform(Work())
                try await other.idle()
                await gate.pass()
                await other.dispatch(Counter<TagB>.Add())
                await context.dispatch(Log.Action.add("stale"))
            }.module()
        )
        // Both runs are the first in their stores.
        await world.settle { await other.dispatch(Question()) }
        await world.settle { await store.dispatch(Work()) }
        deaf.open()
        await world.rest()
        #expect(await other.count(of: TagB.self) == 100)

        await store.cancel(WorkSaga.self)
        gate.open()
        await world.rest()

        #expect(await other.count(of: TagB.self) == 101)
        #expect(try await store.state(of: Log.self) == Log())
    }
}
