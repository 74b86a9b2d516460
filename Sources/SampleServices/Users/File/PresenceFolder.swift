import Foundation
import Synchronization

/// Reads and writes the files of users, and remembers the versions that it saw last.
///
/// Everything but making it is called on ``queue``, one call at a time; the mutex says so to the compiler.
final class PresenceFolder: Sendable {
    /// Where files are touched.
    let queue = DispatchQueue(label: "relux.sample.users-files")

    /// The path of the folder.
    let path: String

    private struct Version {
        /// Nil where not even that could be had.
        let stamp: FileStamp?
        let contents: Result<User, UsersServiceError>
    }

    private struct Memory {
        /// By the names of the files.
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

    /// All users. A file whose version has been seen already isn't read again.
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

    /// Notes that somebody has come or gone. The caller holds the lock.
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
                throw error.usersError(.write, file: "\(path)/\(file)")
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
            throw error.usersError(.folder, file: path)
        }
        var versions: [String: Version] = [:]
        // What is hidden is no user's: the lock, and files that are being written.
        for name in names where name.hasSuffix(Self.suffix) && !name.hasPrefix(".") {
            versions[name] = version(of: name, after: known[name])
        }
        return versions
    }

    /// What the file of this name is now; nil where there is none. Whatever is wrong with it is its own matter.
    private func version(of name: String, after known: Version?) -> Version? {
        let file = "\(path)/\(name)"
        let standing: FileStamp
        do {
            guard let stamp = try FileStamp(path: file) else { return nil }
            standing = stamp
        } catch {
            return Version(stamp: nil, contents: .failure(error.usersError(.read, file: file)))
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
            // It went in this moment.
            if error.code == ENOENT { return nil }
            return Version(stamp: standing, contents: .failure(error.usersError(.read, file: file)))
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
        let bytes = try descriptor.readToEnd(expecting: size)
        do {
            return .success(try PresenceRecord.user(from: bytes, stem: String(name.dropLast(Self.suffix.count))))
        } catch {
            return .failure(UsersServiceError(error.reason, file: file))
        }
    }
}

extension Result where Failure == UsersServiceError {
    /// Whether the same version of the file may be read better the next time.
    fileprivate var isPassing: Bool {
        guard case .failure(let error) = self else { return false }
        switch error.reason {
        case .damaged, .foreignVersion: return false
        default: return true
        }
    }
}
