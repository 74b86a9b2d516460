// Dispatch sources may be used from any thread; the module doesn't say so to the compiler.
@preconcurrency import Dispatch
import Foundation
import Synchronization

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
    private let source: Mutex<(any DispatchSourceProtocol)?>

    /// Begins to watch. What happens after it has returned is told, on the queue.
    init(
        folder: String,
        queue: DispatchQueue,
        handler: @escaping @Sendable (Event) -> Void
    ) throws(SystemError) {
        let descriptor = try Self.open(folder)
        #if canImport(Darwin)
            let source = DispatchSource.makeFileSystemObjectSource(
                fileDescriptor: descriptor.number,
                eventMask: [.write, .delete, .rename],
                queue: queue
            )
            source.setEventHandler { handler(Self.exists(folder) ? .changed : .vanished) }
        #else
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor.number, queue: queue)
            source.setEventHandler {
                // What the events are in detail doesn't matter: they are taken out, and the folder is looked at anew.
                _ = try? descriptor.readToEnd(expecting: 4_096)
                handler(Self.exists(folder) ? .changed : .vanished)
            }
        #endif
        // The descriptor stays open until the source has let go of it.
        source.setCancelHandler { withExtendedLifetime(descriptor) {} }
        source.activate()
        self.source = Mutex(source)
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

    private static func open(_ folder: String) throws(SystemError) -> Descriptor {
        #if canImport(Darwin)
            return try FileSystem.openFile(folder, O_EVTONLY)
        #else
            let number = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
            if number < 0 { throw .last }
            let descriptor = Descriptor(owning: number)
            let mask = IN_MOVED_TO | IN_MOVED_FROM | IN_CLOSE_WRITE | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF
            if inotify_add_watch(number, folder, UInt32(mask)) < 0 { throw .last }
            return descriptor
        #endif
    }

    private static func exists(_ folder: String) -> Bool {
        access(folder, F_OK) == 0
    }
}
