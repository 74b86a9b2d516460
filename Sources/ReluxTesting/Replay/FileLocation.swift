import Foundation

/// A file or folder: a path, or a URL.
public protocol FileLocation: Sendable {
    /// The file's URL. A relative path is relative to the current folder.
    var fileURL: URL { get }
}

extension String: FileLocation {
    /// The path as a URL.
    public var fileURL: URL { URL(filePath: self) }
}

extension URL: FileLocation {
    /// The URL itself.
    public var fileURL: URL { self }
}
