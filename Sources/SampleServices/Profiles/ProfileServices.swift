/// The services of one kind behind a door, one for each folder.
final class ProfileServices<Service: Sendable>: Sendable {
    private let door: ProfileDoor
    private let make: @Sendable (_ folder: String) -> Service
    /// The service used last. It is kept because it remembers what it has seen.
    private let last = Lock<(folder: String, service: Service)?>(nil)

    init(behind door: ProfileDoor, make: @escaping @Sendable (_ folder: String) -> Service) {
        self.door = door
        self.make = make
    }

    /// The service of the current profile, or nil if the task is cancelled.
    func current() async -> Service? {
        guard let folder = await door.folder() else { return nil }
        return last.withLock { last in
            if let last, last.folder == folder { return last.service }
            let service = make(folder)
            last = (folder, service)
            return service
        }
    }
}

extension AsyncStream {
    /// A stream that has already ended.
    static var ended: AsyncStream { AsyncStream { $0.finish() } }
}
