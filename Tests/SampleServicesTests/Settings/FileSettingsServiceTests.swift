import Foundation
import SampleServices
import Testing

@testable import SampleServices

@Suite(.timeLimit(.minutes(10))) struct FileSettingsServiceTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A service that waits for others, however slow the disk is.
    private func service() -> FileSettingsService {
        FileSettingsService(folder: folder.path, lockLimit: .seconds(3_600))
    }

    @Test func `if nothing was saved, nothing has been chosen, and reading creates nothing`() async throws {
        let snapshot = try await FileSettingsService(folder: folder.path(of: "not/there")).load()

        #expect(snapshot.settings == UserSettings())
        #expect(try folder.names.isEmpty)
    }

    @Test func `the file is one JSON object, without settings that weren't chosen`() async throws {
        _ = try await service().save(SettingsChanges(displayName: "Ada"))
        let first = try folder.read("settings.json")
        _ = try await service().save(SettingsChanges(theme: .collaroy))

        #expect(!first.contains("theme"))
        #expect(
            try folder.read("settings.json") == """
                {
                  "displayName" : "Ada",
                  "format" : "relux-settings",
                  "listName" : "",
                  "theme" : "collaroy",
                  "version" : 1
                }

                """
        )
        #expect(try FileStamp(path: folder.path(of: "settings.json"))?.permissions == 0o600)
    }

    @Test func `two services lose none of each other's changes`() async throws {
        let (mine, theirs) = (service(), service())
        let base = try await mine.save(SettingsChanges(displayName: "Ada"))
        _ = try await theirs.load()

        _ = try await theirs.save(SettingsChanges(displayName: "Bob", theme: .collaroy))
        let merged = try await mine.save(SettingsChanges(listName: "Chores"))

        #expect(merged.settings == UserSettings(displayName: "Bob", listName: "Chores", theme: .collaroy))
        #expect(merged.revision > base.revision)
        #expect(try await theirs.load().settings == merged.settings)
    }

    @Test func `repeating a choice writes nothing`() async throws {
        _ = try await service().save(SettingsChanges(displayName: "Ada"))
        let before = try FileStamp(path: folder.path(of: "settings.json"))

        _ = try await service().save(SettingsChanges(displayName: "Ada"))

        #expect(try FileStamp(path: folder.path(of: "settings.json")) == before)
    }

    @Test(
        arguments: [
            ("broken", .damaged("it is not the JSON of settings")),
            ("[]", .damaged("it is not the JSON of settings")),
            (#"{"format":"relux-session","version":1}"#, .foreignFormat("relux-session")),
            (#"{"format":"relux-settings","version":9}"#, .foreignVersion(9, supported: 1)),
            (
                #"{"format":"relux-settings","version":1,"theme":"outback"}"#,
                .damaged("there is no theme “outback”, only pilbara and collaroy")
            ),
            (
                #"{"format":"relux-settings","version":1,"listName":1}"#,
                .damaged("“listName” has a value of the wrong kind")
            ),
        ] as [(String, StorageError.Reason)])
    func `a file that can't be read is reported, not overwritten, and unchanged`(
        text: String,
        reason: StorageError.Reason
    ) async throws {
        try folder.write(text, to: "settings.json")
        let service = service()
        let expected = StorageError(reason, file: service.file)

        await #expect(throws: expected) { try await service.load() }
        await #expect(throws: expected) { try await service.save(SettingsChanges(displayName: "Ada")) }

        #expect(try folder.read("settings.json") == text)
    }

    @Test(arguments: [
        (ENOSPC, StorageError.Reason.diskFull),
        (EDQUOT, .diskFull),
        (EACCES, .noPermission(.write)),
        (EROFS, .noPermission(.write)),
        (EIO, .system(.write, code: EIO)),
    ])
    func `a write that the system refuses is reported, and changes nothing`(
        code: Int32,
        reason: StorageError.Reason
    ) async throws {
        let before = try await service().save(SettingsChanges(displayName: "Ada"))
        var system = FileSystem.live
        system.write = { (_, _) throws(SystemError) in throw SystemError(code: code) }
        let service = FileSettingsService(
            folder: folder.path, lockLimit: .zero, clock: ContinuousClock(), system: system
        )

        await #expect(throws: StorageError(reason, file: service.file)) {
            try await service.save(SettingsChanges(displayName: "Bob"))
        }

        #expect(try await service.load().settings == before.settings)
        #expect(try folder.names == ["settings.json", "settings.lock"])
    }

    @Test func `settings that this program doesn't know are kept`() async throws {
        let zoom = #""zoom" : 10000000000000000000001"#
        let others = #""font":{"size":12.5,"name":"}"},"beta":[true,null]"#
        let text = #"{"version":1,"format":"relux-settings","theme":"pilbara",\#(zoom),\#(others)}"#
        try folder.write(text, to: "settings.json")

        let service = service()
        let first = try await service.save(SettingsChanges(displayName: "Ada"))
        let second = try await self.service().save(SettingsChanges(listName: "Mine"))
        let third = try await service.save(SettingsChanges(theme: .collaroy))

        #expect(first.settings.displayName == "Ada" && second.settings.listName == "Mine")
        #expect(third.settings.theme == .collaroy && third.settings.listName == "Mine")
        let written = try folder.read("settings.json")
        #expect(written.contains("\n  \(zoom)\n}\n") && written.contains("\n  \"theme\" : \"collaroy\",\n"))
        let members = try JSONDecoder().decode([String: JSONValue].self, from: Data(written.utf8))
        #expect(members["font"] == .object(["size": .number(12.5), "name": .string("}")]))
        #expect(members["beta"] == .array([.bool(true), .null]))
    }

    @Test func `a huge file is rejected without being read`() async throws {
        let path = folder.path(of: "settings.json")
        try folder.write("", to: "settings.json")
        try #require(truncate(path, 1 << 30) == 0)

        let error = await #expect(throws: StorageError.self) { try await service().load() }

        #expect(error == StorageError(.tooLarge, file: path))
    }

    @Test func `a link to a missing file isn't mistaken for settings that were never saved`() async throws {
        let link = folder.path(of: "settings.json")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "missing.json")

        let loading = await #expect(throws: StorageError.self) { try await service().load() }
        let saving = await #expect(throws: StorageError.self) {
            try await service().save(SettingsChanges(theme: .collaroy))
        }

        #expect(loading?.reason == .danglingLink && saving == loading)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "missing.json")
    }
}
