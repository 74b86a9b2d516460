extension Relux {
    /// The line of code from which a store was called.
    public struct CallSite: Sendable, Hashable, CustomStringConvertible {
        /// The module and the file, in the format of `#fileID`.
        public let fileID: StaticString

        /// The line in the file, starting at 1.
        public let line: UInt

        /// Creates a call site. Without arguments, it is that of the caller.
        public init(fileID: StaticString = #fileID, line: UInt = #line) {
            self.fileID = fileID
            self.line = line
        }

        /// The call site as text, such as `Module/File.swift:12`.
        public var description: String { "\(fileID):\(line)" }

        /// Returns whether both call sites are the same line of the same file.
        public static func == (lhs: CallSite, rhs: CallSite) -> Bool {
            lhs.line == rhs.line && lhs.fileID.description == rhs.fileID.description
        }

        /// Hashes the line and the file.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(line)
            hasher.combine(fileID.description)
        }
    }
}
