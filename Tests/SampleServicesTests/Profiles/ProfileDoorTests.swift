import SampleServices
import Testing

@testable import SampleServices

@Suite(.timeLimit(.minutes(10))) struct ProfileDoorTests {
    @Test func `an open door leads to its folder`() async {
        #expect(await ProfileDoor(folder: "ada").folder() == "ada")
    }

    @Test func `callers that wait at a closed door continue when it opens`() async {
        let door = ProfileDoor(folder: "ada")
        door.close()

        async let first = door.folder()
        async let second = door.folder()
        door.open(to: "bob")

        #expect(await [first, second] == ["bob", "bob"])
    }

    @Test func `a caller that waits at a closed door is released when it is cancelled`() async {
        let door = ProfileDoor()
        let waiting = Task { await door.folder() }

        waiting.cancel()

        #expect(await waiting.value == nil)
    }

    @Test func `a cancelled task doesn't pass even an open door`() async {
        let door = ProfileDoor(folder: "ada")

        let passed = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await door.folder()
        }.value

        #expect(passed == nil)
    }

    @Test func `services behind a door work in the folder to which it is open, one service per folder`() async throws {
        let stores = ["ada": InMemoryItemsService([.sample(1)]), "bob": InMemoryItemsService()]
        let door = ProfileDoor(folder: "ada")
        let service = ProfileService(behind: door) { stores[$0] ?? InMemoryItemsService() }

        let first = try await service.load()
        door.open(to: "bob")
        _ = try await service.save([.insert(.sample(2))])

        #expect(first.items == [.sample(1)])
        #expect(await stores["ada"]?.snapshot.items == [.sample(1)])
        #expect(await stores["bob"]?.snapshot.items == [.sample(2)])
    }

    @Test func `a call that is cancelled at the door touches no service, and says so`() async throws {
        let items = InMemoryItemsService()
        let settings = InMemorySettingsService()
        let history = InMemoryItemsHistoryService()
        let door = ProfileDoor(folder: "ada")

        let errors = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return (
                await #expect(throws: StorageError.self) {
                    try await ProfileService(behind: door) { _ in items }.save([.insert(.sample(1))])
                },
                await #expect(throws: StorageError.self) {
                    try await ProfileService(behind: door) { _ in history }.save([.done(.sample(1))])
                },
                await #expect(throws: StorageError.self) {
                    try await ProfileService(behind: door) { _ in settings }.save(
                        SettingsChanges(theme: .collaroy))
                }
            )
        }.value

        #expect(errors.0?.reason == .cancelled && errors.1?.reason == .cancelled && errors.2?.reason == .cancelled)
        #expect(await items.saves.isEmpty)
        #expect(await history.value.done.isEmpty)
        #expect(await settings.saves.isEmpty)
    }

    @Test func `a sequence of changes that is cancelled at the door ends`() async {
        let service = ProfileService(behind: ProfileDoor()) { _ in InMemorySettingsService() }
        let reader = Task {
            for await _ in await service.changesElsewhere() {}
            return true
        }

        reader.cancel()

        #expect(await reader.value)
    }
}
