#if !canImport(Darwin)
    // Dispatch sources may be used from any thread, but the module isn't annotated accordingly.
    @preconcurrency import Dispatch
    import Foundation

    /// A shared inotify instance, Linux's mechanism for observing folders. It serves all folders that this process
    /// watches.
    ///
    /// The system limits the number of instances per user, usually to 128, but allows many folders in each. The process
    /// therefore creates one instance for all of its watches and closes it when the last of them ends.
    final class Inotify: Sendable {
        /// One watch of a folder.
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

            /// Stops reporting, and removes the folder from the instance if nothing else in this process watches it.
            func cancel() {
                handler.withLock { $0 = nil }
                inotify.remove(self)
            }
        }

        /// Subscriptions by watch descriptor. The system never reuses a watch descriptor.
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

        /// Starts watching a folder. Every change made after this returns is reported.
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
            // Capturing the instance instead would create a reference cycle.
            source.setEventHandler { Self.tell(descriptor.readWithoutWaiting(), to: subscriptions) }
            // The descriptor must stay open until the source has released it.
            source.setCancelHandler { withExtendedLifetime(descriptor) {} }
            source.activate()
        }

        deinit {
            source.cancel()
        }

        private func add(_ folder: String, _ subscription: Subscription) throws(SystemError) -> Subscription {
            // One critical section, shared with the reader of events, so that an event that arrives in between finds
            // the subscription.
            try subscriptions.withLock { (subscriptions) throws(SystemError) in
                // A folder that is already watched keeps its descriptor.
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

        /// Notifies each affected subscriber once, regardless of the number of events. Their details don't matter,
        /// because the folder is read again in any case.
        ///
        /// An event consists of a watch descriptor, a mask, a cookie, and the length of a name, four bytes each,
        /// followed by the name.
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
                    // After a queue overflow it is unknown which folders changed, so every subscriber is notified.
                    guard isOverflown || changed.contains(watch) || gone.contains(watch) else { continue }
                    for subscriber in subscribers { subscriber.tell(hasGone: gone.contains(watch)) }
                }
            }
        }
    }
#endif
