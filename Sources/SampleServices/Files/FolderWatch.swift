// Dispatch sources may be used from any thread; the module doesn't say so to the compiler.
@preconcurrency import Dispatch
import Foundation

/// Tells when something in a folder has changed: a file was put in place, removed or written.
///
/// It tells until it is cancelled or released.
final class FolderWatch: Sendable {
    /// What has happened.
    enum Event: Sendable {
        /// Something in the folder is not as it was.
        case changed
        /// The folder itself is gone, and nothing more will be told.
        case vanished
    }

    /// Dispatch sources aren't sendable, though they may be cancelled from anywhere.
    private let source: Lock<(any DispatchSourceProtocol)?>

    /// Begins to watch. What happens after it has returned is told, on the queue.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder.
    ///   - queue: Where the handler is called.
    ///   - whenClosed: Told when nothing of the system is held any more.
    ///   - handler: Told what has happened.
    /// - Throws: What kept the folder from being watched.
    init(
        folder: String,
        queue: DispatchQueue,
        whenClosed: (@Sendable () -> Void)? = nil,
        handler: @escaping @Sendable (Event) -> Void
    ) throws(SystemError) {
        let descriptor = try Self.open(folder, whenClosed: whenClosed)
        #if canImport(Darwin)
            let source = DispatchSource.makeFileSystemObjectSource(
                fileDescriptor: descriptor.number,
                eventMask: [.write, .delete, .rename],
                queue: queue
            )
            source.setEventHandler { handler(Self.stands(folder, as: descriptor) ? .changed : .vanished) }
        #else
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor.number, queue: queue)
            source.setEventHandler {
                // What happened inside doesn't matter in detail: the folder is looked at anew. But where the folder itself
                // has gone, another one in its place would never be told of.
                let hasGone = Self.tellsOfEnd(descriptor.readWithoutWaiting())
                handler(Self.exists(folder) && !hasGone ? .changed : .vanished)
            }
        #endif
        // The descriptor stays open until the source has let go of it.
        source.setCancelHandler { withExtendedLifetime(descriptor) {} }
        source.activate()
        self.source = Lock(source)
    }

    deinit {
        cancel()
    }

    /// Stops telling. An event that is being told at this moment may still be.
    func cancel() {
        source.withLock { source in
            source?.cancel()
            source = nil
        }
    }

    private static func open(
        _ folder: String,
        whenClosed: (@Sendable () -> Void)?
    ) throws(SystemError) -> Descriptor {
        #if canImport(Darwin)
            return try FileSystem.openFile(folder, O_EVTONLY, whenClosed: whenClosed)
        #else
            let number = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
            if number < 0 { throw .last }
            let descriptor = Descriptor(owning: number, whenClosed: whenClosed)
            let mask = IN_MOVED_TO | IN_MOVED_FROM | IN_CLOSE_WRITE | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF
            if inotify_add_watch(number, folder, UInt32(mask)) < 0 { throw .last }
            return descriptor
        #endif
    }

    #if canImport(Darwin)
        /// Whether the folder that is open is the one at its path.
        private static func stands(_ folder: String, as descriptor: Descriptor) -> Bool {
            guard let standing = try? FileStamp(path: folder), let open = try? FileStamp(of: descriptor) else {
                return false
            }
            return open.isSameFile(as: standing)
        }
    #else
        /// Whether one of the events says that the folder isn't watched any more, or stands elsewhere.
        ///
        /// An event has a watch, a mask, a cookie and the length of a name, of four bytes each, and then the name.
        private static func tellsOfEnd(_ events: [UInt8]) -> Bool {
            func number(at index: Int) -> UInt32 {
                events[index..<index + 4].withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
            }
            let ends = UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_UNMOUNT) | UInt32(IN_IGNORED)
            var index = 0
            while index + 16 <= events.count {
                if number(at: index + 4) & ends != 0 { return true }
                index += 16 + Int(number(at: index + 12))
            }
            return false
        }

        private static func exists(_ folder: String) -> Bool {
            access(folder, F_OK) == 0
        }
    #endif
}
