import Dispatch
import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Glibc
#endif

/// Reports changes of the files in a folder, whichever process makes them.
enum FolderWatch {
    /// - Parameters:
    ///   - file: A file in the folder, for which changes of its contents are also reported, and not only its
    ///     replacement.
    ///   - report: Called on any thread, until the returned closure is called. Never if the folder can't be watched.
    static func reportChanges(
        in folder: String, file: String? = nil, _ report: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let sources = sources(folder, file, report)
        for source in sources { source.resume() }
        return { for source in sources { source.cancel() } }
    }

    #if canImport(Darwin)
        private static func sources(
            _ folder: String, _ file: String?, _ report: @escaping @Sendable () -> Void
        ) -> [Watched] {
            [folder, file].compactMap { path in
                guard let path else { return nil }
                let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
                guard descriptor >= 0 else { return nil }
                let source = DispatchSource.makeFileSystemObjectSource(
                    fileDescriptor: descriptor, eventMask: [.write, .extend, .rename, .delete], queue: .global())
                source.setEventHandler(handler: report)
                source.setCancelHandler { _ = close(descriptor) }
                return Watched(source)
            }
        }
    #else
        private static func sources(
            _ folder: String, _ file: String?, _ report: @escaping @Sendable () -> Void
        ) -> [Watched] {
            let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
            guard descriptor >= 0 else { return [] }
            let events = IN_MOVED_TO | IN_DELETE | (file == nil ? 0 : IN_MODIFY)
            guard inotify_add_watch(descriptor, folder, UInt32(events)) >= 0 else {
                _ = close(descriptor)
                return []
            }
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
            source.setEventHandler {
                // The contents of the events don't matter. The descriptor is non-blocking.
                var bytes = [UInt8](repeating: 0, count: 4096)
                while read(descriptor, &bytes, bytes.count) > 0 {}
                report()
            }
            source.setCancelHandler { _ = close(descriptor) }
            return [Watched(source)]
        }
    #endif

    // @unchecked Sendable: a dispatch source may be used from any thread.
    private struct Watched: @unchecked Sendable {
        private let source: any DispatchSourceProtocol

        init(_ source: any DispatchSourceProtocol) {
            self.source = source
        }

        func resume() { source.resume() }
        func cancel() { source.cancel() }
    }
}
