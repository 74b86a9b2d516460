import Foundation

/// The watches that this process holds.
enum OpenWatches {
    /// How many there are of a folder that is watched once: none on systems that don't tell.
    static var one: Int {
        #if os(Linux)
            return 1
        #else
            return 0
        #endif
    }

    /// How many of them are of a folder, by what the system says.
    static func count(of folder: String) -> Int {
        descriptors(of: folder).count
    }

    /// Which open files watch a folder, by what the system says.
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
