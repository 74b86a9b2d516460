import Foundation

#if canImport(Darwin)
    // Dispatch sources may be used from any thread; the module doesn't say so to the compiler.
    @preconcurrency import Dispatch
#else
    import Dispatch
#endif

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

    #if canImport(Darwin)
        /// Dispatch sources aren't sendable, though they may be cancelled from anywhere.
        private let source: Lock<(any DispatchSourceProtocol)?>
    #else
        private let subscription: Lock<Inotify.Subscription?>
        private let whenClosed: (@Sendable () -> Void)?
    #endif

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
        #if canImport(Darwin)
            let descriptor = try FileSystem.openFile(folder, O_EVTONLY, whenClosed: whenClosed)
            let source = DispatchSource.makeFileSystemObjectSource(
                fileDescriptor: descriptor.number,
                eventMask: [.write, .delete, .rename],
                queue: queue
            )
            source.setEventHandler { handler(Self.stands(folder, as: descriptor) ? .changed : .vanished) }
            // The descriptor stays open until the source has let go of it.
            source.setCancelHandler { withExtendedLifetime(descriptor) {} }
            source.activate()
            self.source = Lock(source)
        #else
            // Where the folder itself has gone, another one in its place would never be told of.
            let subscription = try Inotify.watch(folder, queue: queue) { hasGone in
                handler(access(folder, F_OK) == 0 && !hasGone ? .changed : .vanished)
            }
            self.subscription = Lock(subscription)
            self.whenClosed = whenClosed
        #endif
    }

    deinit {
        cancel()
    }

    /// Stops telling. An event that is being told at this moment may still be.
    func cancel() {
        #if canImport(Darwin)
            source.withLock { source in
                source?.cancel()
                source = nil
            }
        #else
            let ended = subscription.withLock { subscription in
                defer { subscription = nil }
                return subscription
            }
            guard let ended else { return }
            ended.cancel()
            whenClosed?()
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
    #endif
}
