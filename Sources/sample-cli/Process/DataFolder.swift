import Foundation

/// The location of the list and the users, unless an option names another one.
enum DataFolder {
    private static let name = "relux-sample"
    static let variable = "SAMPLE_DATA"

    /// The folder that the environment names, or the program's folder in the user's data folder. On Linux, this follows
    /// the XDG base directory specification.
    static func standard(environment: [String: String]) -> String {
        if let folder = environment[variable], !folder.isEmpty { return folder }
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
