import Foundation

/// Where the list and the users are unless the user says otherwise.
enum DataFolder {
    private static let name = "relux-sample"

    /// The program's folder among the user's data: on Linux as the XDG base directory specification has it.
    static func standard(environment: [String: String]) -> String {
        #if canImport(Darwin)
            return URL.applicationSupportDirectory.appending(path: name).path(percentEncoded: false)
        #else
            // The specification wants relative paths to be ignored.
            if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return "\(data)/\(name)" }
            let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
            return "\(home)/.local/share/\(name)"
        #endif
    }
}
