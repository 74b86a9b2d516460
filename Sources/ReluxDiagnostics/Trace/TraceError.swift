import Relux

extension Relux {
    /// Why a file or text can't be read as a trace of this program.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum TraceError: Error, Hashable, CustomStringConvertible {
        /// It doesn't begin with the header of a trace.
        case notATrace
        /// Another version of the library wrote it.
        case otherFormat(version: Int)
        /// The types of its actions and states are not those of this program. Each difference is one line.
        case otherTypes([String])
        /// A line can't be read. Lines are counted from 1.
        case damaged(line: Int)

        /// A message that says what is wrong and what to do.
        public var description: String {
            switch self {
            case .notATrace: "This is not a trace. The first line must be the header that a recorder has written."
            case .otherFormat(let version):
                "The trace has the format \(version). This version of the library reads the format \(TraceHeader.version)."
            case .otherTypes(let differences):
                "The trace is of another version of the program:\n"
                    + differences.map { "  \($0)" }.joined(separator: "\n")
            case .damaged(let line):
                "Line \(line) of the trace can't be read."
                    + (line > 1 ? " If the file was cut there, remove this line: those before it are a trace." : "")
            }
        }
    }
}
