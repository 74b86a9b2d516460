extension Relux {
    /// The line of code that dispatched, sent, performed or read.
    public struct CallSite: Sendable, Hashable, CustomStringConvertible {
        /// The module and file, as `#fileID` gives them.
        public let fileID: StaticString

        /// The line in that file, from 1.
        public let line: UInt

        /// Makes a call site; without arguments that of the caller.
        ///
        /// - Parameters:
        ///   - fileID: The module and file.
        ///   - line: The line.
        public init(fileID: StaticString = #fileID, line: UInt = #line) {
            self.fileID = fileID
            self.line = line
        }

        /// `Module/File.swift:12`.
        public var description: String { "\(fileID):\(line)" }

        /// Whether both name the same line of the same file.
        ///
        /// - Parameters:
        ///   - lhs: A call site.
        ///   - rhs: Another one.
        /// - Returns: Whether they are equal.
        public static func == (lhs: CallSite, rhs: CallSite) -> Bool {
            lhs.line == rhs.line && lhs.fileID.description == rhs.fileID.description
        }

        /// Hashes the line and the file.
        ///
        /// - Parameter hasher: The hasher to feed.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(line)
            hasher.combine(fileID.description)
        }
    }
}
