import Relux

/// The text of a run.
enum RunText {
    /// Returns a run's name, such as `Notes.Saga #4` or, in an instance, `Chat.Sender #7 in Chat.Module["c1"]`.
    static func name(_ run: Relux.RunRecord) -> String {
        let scope = run.scope.map { " in \($0)" } ?? ""
        let name = "\(TypeName.short(run.saga)) #\(run.id)\(scope)"
        return switch run.kind {
        case .saga, .flow, .watcher: name
        case .timeout: "timeout in \(name)"
        case .save: "save of \(name)"
        case .load: "load of \(name)"
        }
    }

    /// Returns an outcome, such as `finished` or `failed: .offline`.
    static func outcome(_ outcome: Relux.RunOutcome) -> String {
        if case .failed(let error) = outcome { return "failed: \(ErrorText.line(error))" }
        return outcome.description
    }

    /// Returns a busy run, as in `Notes.Saga #4 (active), triggered at App/Notes.swift:12, waits for Notes.Load #5`.
    static func line(_ busy: Relux.NotIdle.BusyRun) -> String {
        let waits = busy.waitsFor.map { name($0) }.joined(separator: ", ")
        let line = "\(name(busy.run)) (\(busy.phase)), triggered at \(busy.run.callSite)"
        return waits.isEmpty ? line : "\(line), waits for \(waits)"
    }
}
