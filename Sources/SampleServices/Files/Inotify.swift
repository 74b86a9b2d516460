#if !canImport(Darwin)
    // Dispatch sources may be used from any thread; the module doesn't say so to the compiler.
    @preconcurrency import Dispatch
    import Foundation

    /// Linux's way to hear of changes in folders, one instance for all folders that this process watches.
    ///
    /// An account may have only so many instances, 128 as a rule, and many folders in each. So a process takes one,
    /// however many of its parts watch, and gives it back with the last of them.
    final class Inotify: Sendable {
        /// One who watches a folder.
        final class Subscription: Sendable {
            fileprivate let inotify: Inotify
            fileprivate let queue: DispatchQueue
            fileprivate let handler: Lock<(@Sendable (_ hasGone: Bool) -> Void)?>

            fileprivate init(
                _ inotify: Inotify, _ queue: DispatchQueue, _ handler: @escaping @Sendable (_ hasGone: Bool) -> Void
            ) {
                self.inotify = inotify
                self.queue = queue
                self.handler = Lock(handler)
            }

            fileprivate func tell(hasGone: Bool) {
                queue.async { [self] in handler.withLock { $0 }?(hasGone) }
            }

            /// Stops being told, and lets go of the folder if nobody else in this process watches it.
            func cancel() {
                handler.withLock { $0 = nil }
                inotify.remove(self)
            }
        }

        /// Those who watch, by the system's number for what they watch. It never gives a number twice.
        private typealias Subscriptions = [Int32: [Subscription]]

        private struct Shared {
            weak var instance: Inotify?
        }

        private static let shared = Lock(Shared())
        private static let mask =
            IN_MOVED_TO | IN_MOVED_FROM | IN_CLOSE_WRITE | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF

        private let descriptor: Descriptor
        private let subscriptions: Lock<Subscriptions>
        private let source: any DispatchSourceRead

        /// Begins to watch a folder. What happens after it has returned is told, on the queue.
        ///
        /// - Parameters:
        ///   - folder: The path of the folder.
        ///   - queue: Where the handler is called.
        ///   - handler: Told of changes, and whether the folder itself has gone.
        /// - Returns: What ends it.
        /// - Throws: What kept the folder from being watched.
        static func watch(
            _ folder: String, queue: DispatchQueue, handler: @escaping @Sendable (_ hasGone: Bool) -> Void
        ) throws(SystemError) -> Subscription {
            let inotify = try shared.withLock { (shared) throws(SystemError) in
                if let instance = shared.instance { return instance }
                let instance = try Inotify()
                shared.instance = instance
                return instance
            }
            return try inotify.add(folder, Subscription(inotify, queue, handler))
        }

        private init() throws(SystemError) {
            let number = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
            if number < 0 { throw .last }
            let descriptor = Descriptor(owning: number)
            let subscriptions = Lock(Subscriptions())
            self.descriptor = descriptor
            self.subscriptions = subscriptions
            source = DispatchSource.makeReadSource(
                fileDescriptor: number, queue: DispatchQueue(label: "relux.sample.inotify")
            )
            // It holds what it needs, and not the instance, which would hold itself then.
            source.setEventHandler { Self.tell(descriptor.readWithoutWaiting(), to: subscriptions) }
            // The descriptor stays open until the source has let go of it.
            source.setCancelHandler { withExtendedLifetime(descriptor) {} }
            source.activate()
        }

        deinit {
            source.cancel()
        }

        private func add(_ folder: String, _ subscription: Subscription) throws(SystemError) -> Subscription {
            // In one section with the reader's: an event that comes in between finds the subscription.
            try subscriptions.withLock { (subscriptions) throws(SystemError) in
                // A folder that is watched already keeps its number.
                let watch = inotify_add_watch(descriptor.number, folder, UInt32(Self.mask))
                if watch < 0 { throw .last }
                subscriptions[watch, default: []].append(subscription)
            }
            return subscription
        }

        private func remove(_ subscription: Subscription) {
            subscriptions.withLock { subscriptions in
                let found = subscriptions.first { $0.value.contains { $0 === subscription } }
                guard let watch = found?.key else { return }
                subscriptions[watch]?.removeAll { $0 === subscription }
                guard subscriptions[watch]?.isEmpty == true else { return }
                subscriptions[watch] = nil
                inotify_rm_watch(descriptor.number, watch)
            }
        }

        /// Tells those whom events concern. Once each, however many events there are: what happened doesn't matter in
        /// detail, since the folder is looked at anew.
        ///
        /// An event has a watch, a mask, a cookie and the length of a name, of four bytes each, and then the name.
        private static func tell(_ events: [UInt8], to subscriptions: Lock<Subscriptions>) {
            func number(at index: Int) -> UInt32 {
                events[index..<index + 4].withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
            }
            let ends = UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_UNMOUNT) | UInt32(IN_IGNORED)
            var (changed, gone): (Set<Int32>, Set<Int32>) = ([], [])
            var isOverflown = false
            var index = 0
            while index + 16 <= events.count {
                let watch = Int32(bitPattern: number(at: index))
                let mask = number(at: index + 4)
                if mask & UInt32(IN_Q_OVERFLOW) != 0 { isOverflown = true }
                if mask & ends != 0 { gone.insert(watch) } else { changed.insert(watch) }
                index += 16 + Int(number(at: index + 12))
            }
            subscriptions.withLock { subscriptions in
                for (watch, subscribers) in subscriptions {
                    // Where the system has lost count, nobody knows whom it concerns.
                    guard isOverflown || changed.contains(watch) || gone.contains(watch) else { continue }
                    for subscriber in subscribers { subscriber.tell(hasGone: gone.contains(watch)) }
                }
            }
        }
    }
#endif
