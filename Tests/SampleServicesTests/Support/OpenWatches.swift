import Foundation

/// The watches that this process holds.
enum OpenWatches {
    /// The count for a folder that is watched once: 0 on systems that don't report it.
    static var one: Int {
        #if os(Linux)
            return 1
        #else
            return 0
        #endif
    }

    /// The number of watches of a folder, according to the system.
    static func count(of folder: String) -> Int {
        descriptors(of: folder).count
    }

    /// The open files that watch a folder, according to the system.
    static func descriptors(of folder: String) -> Set<String> {
        #if os(Linux)
            var status = stat()
            guard stat(folder, &status) == 0 else { return [] }
            let sign = " ino:\(String(status.st_ino, radix: 16)) "
            let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo")) ?? []
            return Set(
                descriptors.filter { name in
                    let text = (try? String(contentsOfFile: "/proc/self/fdinfo/\(name)", encoding: .utf8)) ?? ""
                    return text.split(separator: "\n").contains { $0.hasPrefix("inotify ") && $0.contains(sign) }
                }
            )
        #else
            return []
        #endif
    }
}
