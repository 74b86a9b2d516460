import Dispatch
import Foundation
import Relux

/// Reports changes of files, whichever process makes them. There is one watch for each folder, however many files in it
/// are watched.
///
/// The folders around a folder are watched too, because it may not exist yet, or not any more.
final class FolderWatch: Sendable {
    static let shared = FolderWatch()

    private struct Subscription: Sendable {
        let path: String
        let isAppendedTo: Bool
        let report: @Sendable () -> Void

        var folder: String { (path as NSString).deletingLastPathComponent }
        /// The place that tells of changes of the file. A folder tells only that another file has got the name.
        var place: String { isAppendedTo ? path : folder }
        /// The place, and the folders around it.
        var places: UnfoldFirstSequence<String> {
            sequence(first: place) { $0 == "/" ? nil : ($0 as NSString).deletingLastPathComponent }
        }
    }

    private struct Contents {
        var subscriptions: [UUID: Subscription] = [:]
        /// The places to watch, whether they are there or not.
        var places: Set<String> = []
        /// By path. What was made again under a path has another watch.
        var watches: [String: Watch] = [:]
    }

    private let contents = Lock(Contents())

    /// - Parameters:
    ///   - path: The path of a file, without links.
    ///   - isAppendedTo: Whether the file changes under its name, and isn't only replaced by others.
    ///   - report: Called on any thread, until the returned closure is called. Never if the folder can't be watched.
    func reportChanges(
        of path: String, isAppendedTo: Bool, _ report: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let (id, subscription) = (UUID(), Subscription(path: path, isAppendedTo: isAppendedTo, report: report))
        let isWatched = contents.withLock { contents in
            contents.subscriptions[id] = subscription
            return contents.places.contains(subscription.place)
        }
        if !isWatched { update(at: nil, isNew: true) }
        // A watch that nobody needs any more ends with the next event.
        return { _ = self.contents.withLock { $0.subscriptions.removeValue(forKey: id) } }
    }

    /// Watches what there is of the places of all subscriptions, and reports changes outside the lock.
    ///
    /// - Parameters:
    ///   - path: A file, or a folder in which something has changed; nil if anything may have. What is in a folder that
    ///     has appeared or gone has changed, too.
    ///   - isWritten: Whether it is still the same file.
    ///   - isNew: Whether only a subscription is new.
    private func update(at path: String?, isWritten: Bool = false, isNew: Bool = false) {
        func isConcerned(_ one: Subscription) -> Bool { path == nil ? !isNew : one.path == path || one.folder == path }
        let concerned = contents.withLock { contents in
            let (before, subscriptions) = (contents.watches, contents.subscriptions.values)
            // Usually, nothing has appeared or gone that is watched.
            let isSame = isWritten || path.map { !contents.places.contains($0) } == true
            if isSame { return subscriptions.filter { $0.path == path } }
            contents.watches = [:]
            let files = Set(subscriptions.filter(\.isAppendedTo).map(\.path))
            // A folder before what is in it: what appears in between is reported.
            contents.places = Set(subscriptions.flatMap(\.places))
            for path in contents.places.sorted() {
                contents.watches[path] = Watch(path, isFile: files.contains(path), before[path])
            }
            for (path, watch) in before where contents.watches[path] != watch { watch.end() }
            return subscriptions.filter { isConcerned($0) || contents.watches[$0.folder] != before[$0.folder] }
        }
        for subscription in concerned { subscription.report() }
    }
}

#if canImport(Darwin)
    /// The watch of a file or of a folder, which doesn't report what is written to its files.
    // @unchecked Sendable: a dispatch source may be used from any thread.
    private struct Watch: Equatable, @unchecked Sendable {
        /// Distinguishes a file from a later one at the same path.
        private let number: UInt64
        private let source: any DispatchSourceFileSystemObject

        /// - Parameter before: The watch of this path so far.
        /// - Returns: Nil if there is nothing that can be watched.
        init?(_ path: String, isFile: Bool, _ before: Watch?) {
            var present = stat()
            guard stat(path, &present) == 0 else { return nil }
            if let before, before.number == UInt64(present.st_ino) {
                self = before
                return
            }
            let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            number = UInt64(present.st_ino)
            source = DispatchSource.makeFileSystemObjectSource(
                fileDescriptor: descriptor, eventMask: [.write, .extend, .rename, .delete], queue: .global())
            source.setEventHandler { [source] in
                let isWritten = isFile && source.data.isDisjoint(with: [.rename, .delete])
                FolderWatch.shared.update(at: path, isWritten: isWritten)
            }
            source.setCancelHandler { _ = close(descriptor) }
            source.resume()
        }

        static func == (lhs: Watch, rhs: Watch) -> Bool { lhs.number == rhs.number }

        func end() { source.cancel() }
    }
#else
    /// The watch of a file or a folder, by one descriptor for all of them.
    ///
    /// A folder that is removed says so only when nobody has one of its files open any more, such as a log. The one
    /// around it says so at once.
    private struct Watch: Equatable {
        private static let descriptor: Int32 = {
            let descriptor = inotify_init1(Int32(IN_CLOEXEC))
            if descriptor >= 0 { Thread.detachNewThread { FolderWatch.shared.noteEvents(from: descriptor) } }
            return descriptor
        }()

        fileprivate let number: Int32

        /// - Parameter before: Not used: the system knows what it watches.
        /// - Returns: Nil if there is nothing that can be watched.
        init?(_ path: String, isFile: Bool, _ before: Watch?) {
            let ofFolder =
                IN_CREATE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
            number = inotify_add_watch(Self.descriptor, path, UInt32(isFile ? IN_MODIFY : ofFolder))
            if number < 0 { return nil }
        }

        func end() { _ = inotify_rm_watch(Self.descriptor, number) }
    }

    extension FolderWatch {
        /// Reports events until the end of the process.
        fileprivate func noteEvents(from descriptor: Int32) {
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = read(descriptor, &bytes, bytes.count)
                var rest = Data(bytes.prefix(max(0, count)))
                // Four numbers of 32 bits, the last of which is the length of the name, which follows.
                while rest.count >= 16 {
                    let number: Int32 = LogFormat.number(in: rest, at: 0)
                    let events: UInt32 = LogFormat.number(in: rest, at: 4)
                    let length: UInt32 = LogFormat.number(in: rest, at: 12)
                    let name = rest.dropFirst(16).prefix(Int(length)).prefix { $0 != 0 }
                    rest = rest.dropFirst(16 + Int(length))
                    let place = contents.withLock { $0.watches.first { $0.value.number == number }?.key as NSString? }
                    // Events in a place that isn't watched any more don't matter, but lost ones do.
                    if place == nil, number >= 0 { continue }
                    update(
                        at: place?.appendingPathComponent(String(decoding: name, as: UTF8.self)),
                        isWritten: events == UInt32(IN_MODIFY))
                }
            }
        }
    }
#endif
