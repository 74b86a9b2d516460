import Foundation

/// The default location of the list and the users.
enum DataFolder {
    private static let name = "relux-sample"

    /// The program's folder in the user's data folder. On Linux, this follows the XDG base directory specification.
    static func standard(environment: [String: String]) -> String {
        #if canImport(Darwin)
            return URL.applicationSupportDirectory.appending(path: name).path(percentEncoded: false)
        #else
            // The specification requires relative paths to be ignored.
            if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return "\(data)/\(name)" }
            let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
            return "\(home)/.local/share/\(name)"
        #endif
    }
}
