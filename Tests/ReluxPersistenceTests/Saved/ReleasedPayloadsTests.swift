import Foundation
import Relux
import Testing

@testable import ReluxPersistence

/// A payload that does something when it is released or compared.
private final class Payload: Sendable, Equatable {
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    deinit { action() }

    static func == (lhs: Payload, rhs: Payload) -> Bool {
        lhs.action()
        return lhs === rhs
    }
}

// Traps with "Recursive call to lock" if users' code is called while what it uses is locked.
@Suite("Users' code is called outside of locks", .timeLimit(.minutes(10)))
final class ReleasedPayloadsTests: Sendable {
    private typealias Memory = SavedMemory<Payload>

    private let uses = Lock(0)
    private let memory = Memory()

    private func payload() -> Payload {
        Payload { [unowned self, memory] in
            self.uses.withLock { $0 += 1 }
            _ = memory.known
        }
    }

    @Test("a payload that is replaced may use what has held it")
    func replaced() async throws {
        func known() -> Memory.Known { Memory.Known(stored: payload(), base: payload()) }
        for _ in 0..<3 {
            memory.note(known())
            memory.noteInitial(payload())
            memory.noteAttempt(known())
            let mark = try #require(memory.look()?.mark)
            #expect(memory.offer(known(), at: mark))
            try await memory.whileSaving { known() }
            memory.copy(Memory())
        }

        #expect(uses.withLock { $0 } >= 3 * 6)
    }

    @Test("a payload that is compared may use what holds it")
    func compared() throws {
        let offered = payload()
        let mark = try #require(memory.look()?.mark)

        #expect(memory.offer(Memory.Known(stored: offered), at: mark))
        #expect(!memory.noteTakenIn(payload()))
        #expect(memory.noteTakenIn(offered))
        #expect(memory.known?.base === offered)
    }

    @Test("the change of a storage in memory may read the storage, and excludes other changes")
    func storage() async throws {
        let storage = Relux.MemoryStorage(["a": Data([0])])

        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<50 {
                        _ = try? storage.exclusively(["a"]) { _ in
                            ["a": Data([(storage.data["a"]?.first ?? 0) + 1])]
                        }
                    }
                }
            }
        }

        #expect(storage.data == ["a": Data([200])])
    }
}
