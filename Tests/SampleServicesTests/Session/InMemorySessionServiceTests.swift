import SampleServices
import Testing

@Suite(.timeLimit(.minutes(10))) struct InMemorySessionServiceTests {
    private let ada: ProfileName

    init() throws {
        ada = try ProfileName("ada")
    }

    @Test func `it reports what others do, even before there is a reader, and not what it does itself`() async throws {
        let service = InMemorySessionService()
        _ = try await service.current()
        await service.changeElsewhere(ada)

        var changes = await service.changesElsewhere().makeAsyncIterator()
        let came = await changes.next()
        try await service.signOut()
        await service.failElsewhere(StorageError(.notAFile, file: "session.json"))
        let failed = await changes.next()

        #expect(came == .success(Profile(name: ada, folder: "ada")))
        #expect(failed == .failure(StorageError(.notAFile, file: "session.json")))
    }

    @Test func `what a call has returned isn't reported`() async throws {
        let service = InMemorySessionService()
        await service.changeElsewhere(ada)
        _ = try await service.current()

        var changes = await service.changesElsewhere().makeAsyncIterator()
        await service.changeElsewhere(nil)

        #expect(await changes.next() == .success(nil))
    }

    @Test func `after a failed call, what can be read later is reported`() async {
        let error = StorageError(.notAFile, file: "session.json")
        let service = InMemorySessionService(ada) { () throws(StorageError) in throw error }
        _ = try? await service.current()

        var changes = await service.changesElsewhere().makeAsyncIterator()

        #expect(await changes.next() == .success(Profile(name: ada, folder: "ada")))
    }

    @Test func `sequences end when the service is released`() async {
        var changes = await InMemorySessionService().changesElsewhere().makeAsyncIterator()

        #expect(await changes.next() == nil)
    }
}
