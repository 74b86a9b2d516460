import Relux
import TestFixtures
import Testing

@Suite("Large values on small stacks", .timeLimit(.minutes(10)))
struct SmallStacksTests {
    // Of vectors, because a compiler takes long for thousands of elements.
    private typealias Numbers512 = (
        SIMD64<UInt64>, SIMD64<UInt64>, SIMD64<UInt64>, SIMD64<UInt64>, SIMD64<UInt64>, SIMD64<UInt64>, SIMD64<UInt64>,
        SIMD64<UInt64>
    )
    /// 16 KiB.
    private typealias Numbers2048 = (Numbers512, Numbers512, Numbers512, Numbers512)

    private enum Zero {
        static let numbers64 = SIMD64<UInt64>(repeating: 0)
        static let numbers512: Numbers512 = (
            numbers64, numbers64, numbers64, numbers64, numbers64, numbers64, numbers64, numbers64
        )
        static let numbers2048: Numbers2048 = (numbers512, numbers512, numbers512, numbers512)
    }

    private struct Large: Relux.State {
        /// 16 KiB.
        struct Set: Relux.Action {
            private(set) var numbers = Zero.numbers2048

            init(_ number: UInt64) { numbers.3.7[63] = number }
        }

        /// 64 KiB.
        private var numbers = (Zero.numbers2048, Zero.numbers2048, Zero.numbers2048, Zero.numbers2048)
        private(set) var count = 0

        var last: UInt64 { numbers.3.3.7[63] }

        mutating func reduce(_ action: Set) {
            numbers.3.3.7[63] = action.numbers.3.7[63]
            count += 1
        }

        static func == (lhs: Large, rhs: Large) -> Bool { lhs.last == rhs.last && lhs.count == rhs.count }
    }

    /// What a thread with a small stack does.
    enum Call: CaseIterable, Sendable {
        case dispatchNow, batchNow, readNow, dispatch, batch, send
    }

    // Functions of their own, so that the thread's stack has room for one large value at a time.
    @inline(never)
    private static func doNow(_ number: UInt64, in store: Relux.Store) { store.doNow(Large.Set(number)) }

    @inline(never)
    private static func doBatchNow(_ number: UInt64, in store: Relux.Store) {
        store.doNow(contentsOf: [Large.Set(number)])
    }

    @inline(never)
    private static func send(_ number: UInt64, to store: Relux.Store) { store.send(Large.Set(number)) }

    @inline(never)
    private static func batch(_ number: UInt64) -> [Large.Set] { [Large.Set(number)] }

    private static func dispatch(_ number: UInt64, in store: Relux.Store) async {
        await store.dispatch(Large.Set(number))
    }

    // The stack of a thread that isn't the main one is 512 KiB on Apple systems. The copies of a large state and of a
    // large action, one for each function that they went through, took more.
    @Test("a state of 64 KiB and an action of 16 KiB fit on a thread with a stack of 512 KiB", arguments: Call.allCases)
    func largeValues(call: Call) async throws {
        let store = try await Relux.Store { Part<TagA>(states: [Large()]) }
        let thread = ThreadExecutor(stackSize: 512 << 10)
        let isOver = Gate()

        switch call {
        case .dispatchNow, .batchNow, .send, .readNow:
            thread.run {
                switch call {
                case .batchNow: Self.doBatchNow(7, in: store)
                case .send: Self.send(7, to: store)
                default: Self.doNow(7, in: store)
                }
                if call == .readNow { _ = store.lookNow { reader in reader[Large.self]?.last } }
                isOver.open()
            }
            await isOver.pass()
        case .dispatch: await Task(executorPreference: thread.tasks) { await Self.dispatch(7, in: store) }.value
        case .batch:
            await Task(executorPreference: thread.tasks) { _ = await store.dispatch(contentsOf: Self.batch(7)) }.value
        }
        let last = await store.read { reader in reader[Large.self]?.last }
        let count = await store.read { reader in reader[Large.self]?.count }
        thread.end()

        #expect(last == 7)
        #expect(count == 1)
    }
}
