import SampleServices

typealias ItemsSnapshot = Snapshot<[Item]>
typealias SettingsSnapshot = Snapshot<UserSettings>

extension Snapshot where Value == [Item] {
    init(items: [Item], revision: Int) {
        self.init(items, revision: revision)
    }

    var items: [Item] { value }
}

extension Snapshot where Value == UserSettings {
    init(settings: UserSettings, revision: Int) {
        self.init(settings, revision: revision)
    }

    var settings: UserSettings { value }
}

extension InMemoryService {
    /// Creates a service with a hook before each load, with nil, and before each save, with its changes.
    init(
        _ value: Value = Value(),
        hook: @escaping @Sendable (Value.Changes?) async throws(StorageError) -> Void
    ) {
        self.init(
            value, beforeLoad: { () throws(StorageError) in try await hook(nil) },
            beforeSave: { (changes) throws(StorageError) in try await hook(changes) })
    }
}

extension StorageService {
    /// Nothing is ever set aside.
    func setAside() async throws(StorageError) -> String? { nil }
}
