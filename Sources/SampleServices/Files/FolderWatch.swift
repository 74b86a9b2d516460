import Foundation

#if canImport(Darwin)
    // Dispatch sources may be used from any thread, but the module isn't annotated accordingly.
    @preconcurrency import Dispatch
#else
    import Dispatch
#endif

/// Reports changes to the contents of a folder: a file was added, removed, renamed, or written.
///
/// It reports until it is cancelled or released.
final class FolderWatch: Sendable {
    /// What happened.
    enum Event: Sendable {
        /// The contents of the folder changed.
        case changed
        /// The folder itself is gone. Nothing more will be reported.
        case vanished
    }

    #if canImport(Darwin)
        /// Behind a lock because dispatch sources aren't `Sendable`, although they may be cancelled from anywhere.
        private let source: Lock<(any DispatchSourceProtocol)?>
    #else
        private let subscription: Lock<Inotify.Subscription?>
        private let whenClosed: (@Sendable () -> Void)?
    #endif

    /// Starts watching. Every change made after this returns is reported.
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
            // The descriptor must stay open until the source has released it.
            source.setCancelHandler { withExtendedLifetime(descriptor) {} }
            source.activate()
            self.source = Lock(source)
        #else
            // If the folder itself is gone, a new folder at the same path would never be reported.
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

    /// Stops reporting. A call of the handler that is already under way may still complete.
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
        /// Whether the open folder is still the one at its path.
        private static func stands(_ folder: String, as descriptor: Descriptor) -> Bool {
            guard let standing = try? FileStamp(path: folder), let open = try? FileStamp(of: descriptor) else {
                return false
            }
            return open.isSameFile(as: standing)
        }
    #endif
}
