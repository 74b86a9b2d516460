import Workloads

/// The command given on the command line.
enum Command {
    case help
    case list
    case measure([Row], Pace)
    /// Part of a measurement, run in a separate process.
    case probe(Probe)

    static let usage = """
        Usage: Benchmarks/run [--quick] [--list] [--help] [row ...]

        Measures the rows with the given names, or all, each beside its baseline, and prints a table. The exit status is 1
        if a row misses its budget or can't be measured.

          --quick   Run everything briefly and judge nothing: it shows that the benchmarks work, not what they say.
          --list    Print the names of the rows.
        """

    init(_ arguments: [String]) throws(CommandError) {
        if arguments.first == Probe.argument {
            self = .probe(try Probe(arguments.dropFirst()))
            return
        }
        var pace = Pace.thorough
        var rows: [Row] = []
        for argument in arguments {
            switch argument {
            case "--help", "-h":
                self = .help
                return
            case "--list":
                self = .list
                return
            case "--quick":
                pace = .quick
            case let option where option.hasPrefix("-"):
                throw .unknownOption(option)
            default:
                rows.append(try Row.named(argument))
            }
        }
        self = .measure(rows.isEmpty ? Row.all : rows, pace)
    }
}

/// How long a measurement may take.
enum Pace {
    /// As long as a verdict requires.
    case thorough
    /// Just long enough to show that everything works.
    case quick
}

extension Row {
    static func named(_ id: String) throws(CommandError) -> Row {
        guard let row = all.first(where: { $0.id == id }) else { throw .unknownRow(id) }
        return row
    }
}

/// An error in the command line.
enum CommandError: Error, CustomStringConvertible {
    case unknownOption(String)
    case unknownRow(String)
    case incompleteProbe

    var description: String {
        switch self {
        case .unknownOption(let option): "There is no option \(option)."
        case .unknownRow(let id): "There is no row named \(id); --list names them all."
        case .incompleteProbe: "A probe needs its kind, a row, `subject` or `baseline`, and a number of operations."
        }
    }
}
