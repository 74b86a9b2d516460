import Dispatch
import Foundation
import Relux

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Glibc
#endif

/// Reports changes of files, whichever process makes them. There is one watch for each folder, however many files in it
/// are watched.
///
/// A folder that doesn't exist, or not any more, is awaited in the nearest folder around it that does.
final class FolderWatch: Sendable {
    static let shared = FolderWatch()

    private typealias Report = @Sendable () -> Void

    private struct Contents {
        /// By folder, file, and number.
        var reports: [String: [String: [UInt64: Report]]] = [:]
        var last: UInt64 = 0
        /// Where each of these folders is watched: itself, or the nearest folder around it.
        var places: [String: String] = [:]
        var watches = Watches()
    }

    private let contents = Lock(Contents())

    /// - Parameters:
    ///   - folder: A path without links.
    ///   - file: The name of the file.
    ///   - report: Called on any thread, until the returned closure is called. Never if the folder can't be watched.
    func reportChanges(
        in folder: String, of file: String, _ report: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let (number, concerned) = contents.withLock { contents in
            contents.last += 1
            let isNew = contents.reports[folder]?[file] == nil
            contents.reports[folder, default: [:]][file, default: [:]][contents.last] = report
            return (contents.last, isNew ? update(&contents) : [])
        }
        for report in concerned { report() }
        return {
            let concerned: [Report] = self.contents.withLock { contents in
                contents.reports[folder]?[file]?[number] = nil
                guard contents.reports[folder]?[file]?.isEmpty == true else { return [] }
                contents.reports[folder]?[file] = nil
                guard contents.reports[folder]?.isEmpty == true else { return [] }
                contents.reports[folder] = nil
                return self.update(&contents)
            }
            for report in concerned { report() }
        }
    }

    /// Something has happened in a folder that is watched.
    ///
    /// - Parameters:
    ///   - place: Nil if it isn't known.
    ///   - file: Nil if it isn't known, or if it is the folder itself.
    private func noteChange(in place: String?, of file: String?) {
        let concerned: [Report] = contents.withLock { contents in
            let item = file.flatMap { file in (place as NSString?)?.appendingPathComponent(file) }
            let isAwaited = contents.places.contains { $0.value == place && $0.key != place || $0.value == item }
            // Otherwise, no folder has appeared or gone.
            let moved = file == nil || isAwaited ? update(&contents) : []
            guard let place else { return contents.reports.values.flatMap(\.values).flatMap(\.values) }
            let remade = item.flatMap { contents.reports[$0]?.values.flatMap(\.values) } ?? []
            let files = contents.reports[place] ?? [:]
            let own = file.map { files[$0].map { Array($0.values) } ?? [] } ?? files.values.flatMap(\.values)
            return moved + remade + own
        }
        for report in concerned { report() }
    }

    /// Watches the folders that are wanted, or the nearest ones around them.
    ///
    /// - Returns: The reports of folders that have appeared or gone, to be called outside of the lock. A subscription
    ///   may notice this before the event that says so, which then finds nothing new.
    private func update(_ contents: inout Contents) -> [Report] {
        let before = contents.places
        contents.places = [:]
        for folder in contents.reports.keys {
            // Again, if the folder was created just before the one around it was watched.
            for _ in 0..<3 where contents.places[folder] != folder {
                var place = folder
                while !contents.watches.watch(place, noteChange), place != "/" {
                    place = (place as NSString).deletingLastPathComponent
                }
                contents.places[folder] = place
            }
        }
        contents.watches.keep(
            Set(contents.places.values), files: contents.reports.mapValues { Array($0.keys) }, noteChange)
        return contents.reports.flatMap { folder, files in
            before[folder] == nil || before[folder] == contents.places[folder] ? [] : files.values.flatMap(\.values)
        }
    }
}

// @unchecked Sendable: a dispatch source may be used from any thread.
private struct Watched: @unchecked Sendable {
    let source: any DispatchSourceProtocol
    /// Distinguishes a file from a later one at the same path.
    var number: UInt64 = 0
}

private typealias Note = @Sendable (_ folder: String?, _ file: String?) -> Void

#if canImport(Darwin)
    /// The watched folders, and the files in them, because a folder doesn't report what is written to its files.
    private struct Watches {
        private var sources: [String: Watched] = [:]

        /// - Returns: Whether the folder can be watched.
        mutating func watch(_ folder: String, _ note: @escaping Note) -> Bool { watch(folder) { note(folder, nil) } }

        private mutating func watch(_ path: String, note: @escaping @Sendable () -> Void) -> Bool {
            var present = stat()
            let isThere = stat(path, &present) == 0
            if let watched = sources[path] {
                if isThere, watched.number == UInt64(present.st_ino) { return true }
                watched.source.cancel()
                sources[path] = nil
            }
            let descriptor = isThere ? open(path, O_EVTONLY | O_CLOEXEC) : -1
            guard descriptor >= 0 else { return false }
            let source = DispatchSource.makeFileSystemObjectSource(
                fileDescriptor: descriptor, eventMask: [.write, .extend, .rename, .delete], queue: .global())
            source.setEventHandler(handler: note)
            source.setCancelHandler { _ = close(descriptor) }
            source.resume()
            sources[path] = Watched(source: source, number: UInt64(present.st_ino))
            return true
        }

        /// Ends all watches but those of these folders, and of files in them that are written to.
        mutating func keep(_ folders: Set<String>, files: [String: [String]], _ note: @escaping Note) {
            let paths = folders.flatMap { folder in
                (files[folder] ?? []).filter { !FileName.isOfKey($0) }.map { (folder, "\(folder)/\($0)") }
            }
            for (folder, path) in paths { _ = watch(path) { note(folder, nil) } }
            let kept = folders.union(paths.map(\.1))
            for (path, watched) in sources where !kept.contains(path) {
                watched.source.cancel()
                sources[path] = nil
            }
        }
    }
#else
    /// The watched folders and those around them, by one descriptor for all of them.
    ///
    /// A folder that is removed says so only when nobody has one of its files open any more, such as a log. The one
    /// around it says so at once.
    private struct Watches {
        private var descriptor: Int32 = -1
        private var source: Watched?
        private var folders: [Int32: String] = [:]

        /// - Returns: Whether the folder can be watched.
        mutating func watch(_ folder: String, _ note: @escaping Note) -> Bool {
            if descriptor < 0 { start(note) }
            guard watch(folder) else { return false }
            _ = watch(around(folder))
            return true
        }

        private func around(_ folder: String) -> String { (folder as NSString).deletingLastPathComponent }

        private mutating func watch(_ folder: String) -> Bool {
            let events =
                IN_CREATE | IN_MODIFY | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF
                | IN_ONLYDIR
            let number = inotify_add_watch(descriptor, folder, UInt32(events))
            if number >= 0 { folders[number] = folder }
            return number >= 0
        }

        private mutating func start(_ note: @escaping Note) {
            descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
            guard descriptor >= 0 else { return }
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
            source.setEventHandler { [descriptor] in
                var bytes = [UInt8](repeating: 0, count: 1 << 16)
                while true {
                    let count = read(descriptor, &bytes, bytes.count)
                    guard count > 0 else { return }
                    FolderWatch.shared.noteEvents(bytes.prefix(count))
                }
            }
            source.resume()
            self.source = Watched(source: source)
        }

        /// The folder of an event; nil if it isn't known.
        func folder(of number: Int32) -> String? { folders[number] }

        /// Ends all watches but those of these folders.
        mutating func keep(_ kept: Set<String>, files: [String: [String]], _ note: @escaping Note) {
            let kept = kept.union(kept.map(around))
            // A folder that was made again has another number.
            for (number, folder) in folders where !kept.contains(folder) {
                _ = inotify_rm_watch(descriptor, number)
                folders[number] = nil
            }
        }

        /// The system has ended a watch.
        mutating func forget(_ number: Int32) { folders[number] = nil }
    }

    extension FolderWatch {
        /// - Parameter bytes: Whole events: four numbers of 32 bits, the last of which is the length of the name, which
        ///   follows.
        fileprivate func noteEvents(_ bytes: ArraySlice<UInt8>) {
            var rest = bytes
            while rest.count >= 16 {
                func number(at index: Int) -> UInt32 {
                    let bytes = rest.dropFirst(index * 4).prefix(4)
                    return bytes.enumerated().reduce(0) { $0 | UInt32($1.element) << UInt32($1.offset * 8) }
                }
                let (watch, events, count) = (Int32(bitPattern: number(at: 0)), number(at: 1), Int(number(at: 3)))
                let name = rest.dropFirst(16).prefix(count).prefix { $0 != 0 }
                let folder = contents.withLock { contents in
                    defer { if events & UInt32(IN_IGNORED) != 0 { contents.watches.forget(watch) } }
                    return contents.watches.folder(of: watch)
                }
                rest = rest.dropFirst(16 + count)
                // What has happened in a folder that isn't watched any more doesn't matter, but lost events do.
                if folder == nil, watch >= 0 { continue }
                noteChange(in: folder, of: name.isEmpty ? nil : String(decoding: name, as: UTF8.self))
            }
        }
    }
#endif
