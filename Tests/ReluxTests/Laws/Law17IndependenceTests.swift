import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Law 17: independence", .timeLimit(.minutes(10)))
struct Law17IndependenceTests: Staged {
    let scene = Scene()

    @Test("Hundreds of stores with the same modules count independently, while others of them end")
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

        try await withThrowingTaskGroup { group in
            for number in 0..<300 {
                group.addTask {
                    let names = (1...(number % 7 + 1)).map { "\(number).\($0)" }
                    let store = try await Relux.Store { module }
                    for name in names { try await store.perform(Work(name: name)) }

                    #expect(try await store.perform(Question(number: number)) == number)
                    #expect(try await store.log() == names)
                    #expect(await store.count(of: TagA.self) == names.count)
                    #expect(await store.dispatch(Counter<TagA>.Add()).sequence == UInt64(3 * names.count + 2))
                    // The others are released.
                    if number.isMultiple(of: 2) { await store.shutdown() }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("A run means nothing to another store, which neither spares it nor treats its writes as stale")
    func runsAreForeign() async throws {
        let world = SeededExecutor(seed: 17)
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
        let store = try await makeStore(
            executor: world,
            WorkSaga { _, context in
                await other.dispatch(Counter<TagB>.Add())
                await other.reset()
                try await other.perform(Work())
                try await other.idle()
                await gate.pass()
                await other.dispatch(Counter<TagB>.Add())
                await context.dispatch(Log.Action.add("stale"))
            })
        // Both runs are the first in their stores.
        await world.settle { await other.dispatch(Question()) }
        await world.settle { await store.dispatch(Work()) }
        await world.open(deaf)
        #expect(await other.count(of: TagB.self) == 100)

        await store.cancel(WorkSaga.self)
        await world.open(gate)

        #expect(await other.count(of: TagB.self) == 101)
        #expect(try await store.state(of: Log.self) == Log())
    }
}
