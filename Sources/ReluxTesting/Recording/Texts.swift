import Relux

/// The text of an action.
enum ActionText {
    /// Returns the action with its type on one line, such as `Notes.State.Action.loaded([])` or `Notes.Load(page: 2)`.
    static func line(_ action: any Relux.Action) -> String {
        let text = ValueText.line(action)
        let type = shortName(of: Swift.type(of: action))
        if text.hasPrefix(".") { return type + text }
        // The text of a struct begins with its name, which in a generic type lacks the types around it.
        let structName = TypeName.short(Swift.type(of: action))
        return text.hasPrefix(structName) ? type + text.dropFirst(structName.count) : "\(type)(\(text))"
    }
}

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

/// The text of an error.
enum ErrorText {
    /// Returns the error's own description if it has one, otherwise its type and value on one line.
    static func line(_ error: any Error) -> String {
        // By way of `Any`: with Foundation, the compiler believes that every error has a description of its own.
        if let described = (error as Any) as? any CustomStringConvertible { return StableText.of(described) }
        let text = ValueText.line(error)
        return text.hasPrefix(".") ? TypeName.short(type(of: error)) + text : text
    }
}

/// Descriptions that are the same in every process.
enum StableText {
    /// Returns a description without the `(unknown context at $…)` that it contains for private and local types.
    static func of(_ value: some CustomStringConvertible) -> String {
        var rest = Substring(value.description)
        var text = ""
        while let context = rest.firstRange(of: "(unknown context at $"),
            let end = rest[context.upperBound...].firstRange(of: ").")
        {
            text += rest[..<context.lowerBound]
            rest = rest[end.upperBound...]
        }
        return text + rest
    }
}
