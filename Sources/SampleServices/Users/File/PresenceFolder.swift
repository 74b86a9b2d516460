import Foundation
import Synchronization

/// Reads and writes the files of users, and remembers the versions seen last.
///
/// Everything except the initializer must be called on ``queue``, one call at a time. The lock makes this safe in the
/// eyes of the compiler.
final class PresenceFolder: Sendable {
    /// The queue on which files are accessed.
    let queue = DispatchQueue(label: "relux.sample.users-files")

    /// The path of the folder.
    let path: String

    private struct Version {
        /// The stamp of the file, or nil if even that couldn't be read.
        let stamp: FileStamp?
        let contents: Result<User, UsersServiceError>
    }

    private struct Memory {
        /// Versions by file name.
        var versions: [String: Version] = [:]
        var snapshot = UsersSnapshot(users: [], revision: 0)
    }

    private static let suffix = ".json"

    private let system: FileSystem
    private let memory = Lock(Memory())

    init(path: String, system: FileSystem) {
        self.path = path
        self.system = system
    }

    /// All users. An unchanged file isn't read again.
    func read() throws(UsersServiceError) -> UsersSnapshot {
        try memory.withLock { (memory) throws(UsersServiceError) in
            let versions = try currentVersions(after: memory.versions)
            memory.versions = versions
            var (users, damages): ([User], [UsersServiceError]) = ([], [])
            for (_, version) in versions.sorted(by: { $0.key < $1.key }) {
                switch version.contents {
                case .success(let user): users.append(user)
                case .failure(let error): damages.append(error)
                }
            }
            let last = memory.snapshot
            if last.revision == 0 || last.users != users || last.damages != damages {
                memory.snapshot = UsersSnapshot(users: users, damages: damages, revision: last.revision + 1)
            }
            return memory.snapshot
        }
    }

    /// Records an arrival or departure. The caller must hold the lock.
    func note(_ name: User.Name, _ presence: User.Presence, at date: Date) throws(UsersServiceError) -> Passage {
        let file = name.id + Self.suffix
        let known = version(of: file, after: nil)
        let before: User
        if let known {
            before = try known.contents.get()
        } else {
            guard presence == .online else { throw UsersServiceError(.unknown(name.text), file: path) }
            before = User(id: name.id, name: name.text, presence: .offline, since: date)
        }
        var user = before
        if user.presence != presence { (user.presence, user.since) = (presence, Timestamp.rounded(date)) }
        if presence == .online { user.name = name.text }
        if user != before {
            do throws(SystemError) {
                _ = try AtomicFile(path: "\(path)/\(file)", system: system)
                    .replace(with: PresenceRecord.bytes(of: user), permissions: known?.stamp?.permissions ?? 0o600)
            } catch {
                throw StorageError(error, .write, file: "\(path)/\(file)")
            }
        }
        return Passage(user, isNews: user.presence != before.presence)
    }

    private func currentVersions(after known: [String: Version]) throws(UsersServiceError) -> [String: Version] {
        let names: [String]
        do {
            names = try FileSystem.names(in: path)
        } catch {
            if error.code == ENOENT { return [:] }
            throw StorageError(error, .folder, file: path)
        }
        var versions: [String: Version] = [:]
        // Hidden files aren't users: they are the lock and the temporary files of writers.
        for name in names where name.hasSuffix(Self.suffix) && !name.hasPrefix(".") {
            versions[name] = version(of: name, after: known[name])
        }
        return versions
    }

    /// The current version of a file, or nil if it doesn't exist. An error becomes part of the version and affects no
    /// other file.
    private func version(of name: String, after known: Version?) -> Version? {
        let file = "\(path)/\(name)"
        let standing: FileStamp
        do {
            guard let stamp = try FileStamp(path: file) else { return nil }
            standing = stamp
        } catch {
            // A link without its target is nobody's presence.
            if error == .danglingLink { return nil }
            return Version(stamp: nil, contents: .failure(StorageError(error, .read, file: file)))
        }
        if let known, known.stamp == standing, !known.contents.isPassing { return known }
        guard standing.isFile else {
            return Version(stamp: standing, contents: .failure(UsersServiceError(.notAFile, file: file)))
        }
        do {
            let descriptor = try FileSystem.openFile(file, O_RDONLY)
            let stamp = try FileStamp(of: descriptor)
            return Version(stamp: stamp, contents: try contents(of: descriptor, stamp.size, file, name))
        } catch {
            // The file was removed a moment ago.
            if error.code == ENOENT { return nil }
            return Version(stamp: standing, contents: .failure(StorageError(error, .read, file: file)))
        }
    }

    private func contents(
        of descriptor: Descriptor,
        _ size: Int,
        _ file: String,
        _ name: String
    ) throws(SystemError) -> Result<User, UsersServiceError> {
        guard size <= PresenceRecord.longest else {
            return .failure(UsersServiceError(.damaged("it is too long"), file: file))
        }
        let bytes = try descriptor.readToEnd(expecting: size, limit: PresenceRecord.longest)
        do {
            return .success(try PresenceRecord.user(from: bytes, stem: String(name.dropLast(Self.suffix.count))))
        } catch {
            return .failure(UsersServiceError(error.reason, file: file))
        }
    }
}

extension Result where Failure == UsersServiceError {
    /// Whether reading the same version of the file again may succeed.
    fileprivate var isPassing: Bool {
        guard case .failure(let error) = self else { return false }
        switch error.reason {
        case .damaged, .foreignVersion: return false
        default: return true
        }
    }
}
