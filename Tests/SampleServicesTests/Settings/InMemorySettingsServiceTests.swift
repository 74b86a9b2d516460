import SampleServices
import Testing

@Suite(.timeLimit(.minutes(10))) struct InMemorySettingsServiceTests {
    private let full = ProfileServiceError(.diskFull, file: "memory")

    @Test func `what is saved is returned by the next load, and recorded`() async throws {
        let service = InMemorySettingsService(UserSettings(displayName: "Ada"))

        let first = try await service.load()
        let second = try await service.save(SettingsChanges(theme: .collaroy))

        #expect(first.settings == UserSettings(displayName: "Ada"))
        #expect(second.settings == UserSettings(displayName: "Ada", theme: .collaroy))
        #expect(second.revision > first.revision)
        #expect(await service.saves == [SettingsChanges(theme: .collaroy)])
    }

    @Test func `it reports what others change, including earlier changes, and not what it saves itself`()
        async throws
    {
        let service = InMemorySettingsService()
        _ = try await service.load()
        await service.changeElsewhere(SettingsChanges(displayName: "early"))
        var changes = await service.changesElsewhere().makeAsyncIterator()

        let early = try #require(await changes.next()).get()
        _ = try await service.save(SettingsChanges(listName: "own"))
        await service.changeElsewhere(SettingsChanges(displayName: "late"))
        let late = try #require(await changes.next()).get()
        await service.failElsewhere(full)
        let failure = await changes.next()

        #expect(early.settings == UserSettings(displayName: "early"))
        #expect(late.settings == UserSettings(displayName: "late", listName: "own"))
        #expect(failure == .failure(full))
    }

    @Test func `a load or save throws what the hook throws, and changes nothing`() async throws {
        let service = InMemorySettingsService { [full] (_) throws(ProfileServiceError) in throw full }

        await #expect(throws: full) { try await service.load() }
        await #expect(throws: full) { try await service.save(SettingsChanges(theme: .collaroy)) }

        #expect(await service.settings == UserSettings())
    }
}
