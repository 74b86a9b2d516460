import Relux

extension Relux.Trace {
    /// Explains why a value is what it is. The description puts the explanation into words.
    public struct Why: Sendable, CustomStringConvertible {
        /// A cause, or the cause of a cause.
        public enum Cause: Sendable {
            /// An action. The next cause in the list, a run or the action that a rule responded to, has led to it; if
            /// there is none, it came from outside.
            case action(Action)
            /// A run, which dispatched the action before it in the list.
            case run(Run)
        }

        /// The value in question, such as `Items.State.list[3].title`.
        public let subject: String
        /// The text of the value before the change; nil if there was none, or it isn't known.
        public let old: String?
        /// The text of the value after the change, or of the present value if nothing has changed it.
        public let new: String?
        /// The action that changed the value last; nil if none in the trace has.
        public let action: Action?
        /// The cause of the change if it was no action, what may have made it instead of ``action``, or why the trace
        /// has no answer.
        public let remark: String?
        /// The action and its causes, back to the first call, which is the last element.
        public let causes: [Cause]
        /// The line of code at which everything began.
        public let origin: String?
        /// The parts that have changed, one line each, if the value is too long to be shown.
        let parts: [String]

        /// The change and its causes, one line each, with control characters escaped. For long values, it shows the
        /// parts that differ, and it shortens long actions in the middle. ``old``, ``new`` and ``causes`` are complete.
        public var description: String {
            let subject = subject.isEmpty ? "This" : subject
            guard action != nil else { return "\(subject): \(remark ?? "unknown")".visible }
            let (before, after) = ShortText.differing(old ?? "nothing", new ?? "nothing")
            var lines = ["\(subject) changed" + (parts.isEmpty ? " from \(before) to \(after)" : ":")]
            lines += parts.map { "    \($0)" }
            for (index, cause) in causes.enumerated() {
                switch cause {
                case .action(let cause):
                    let isAfter = if index > 0, case .action = causes[index - 1] { true } else { false }
                    let word = index == 0 ? "by" : isAfter ? "after" : "for"
                    lines.append("  \(word) #\(cause.sequence) \(ShortText.cut(cause.text))")
                    lines.append("      at \(cause.time.decimalText), \(cause.callSite)")
                    if index == 0, let remark { lines.append("  or by \(remark)") }
                case .run(let run):
                    let span = run.startTime.map { start in
                        let end = run.endTime.map { " until \($0.decimalText)" } ?? ""
                        return ", from \(start.decimalText)\(end)" + (run.outcome.map { ", \($0)" } ?? "")
                    }
                    lines.append("  in \(run.name)\(span ?? "")")
                }
            }
            if let origin { lines.append("  which began at \(origin)") }
            return lines.map(\.visible).joined(separator: "\n")
        }
    }

    /// Why a value is what it is: the last action that changed it, and the causes of that action, back to the first
    /// call.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - path: The value in the state. It is applied to the states from the last one back to the one before the
    ///     change, and must be valid in all of them. For elements that may be missing, use subscripts with optional
    ///     results.
    ///   - scope: The instance, as the description of its ``Relux/Relux/Scope`` says; nil for whichever changed last.
    /// - Complexity: O(n) in the number of events.
    public func why<S: Relux.State, V: Equatable>(
        _ state: S.Type, _ path: KeyPath<S, V>, in scope: String? = nil
    ) -> Why {
        let name = shortName(of: S.self)
        let subject = name + keyPathText(path)
        var histories: [StateSlot: [(place: Int, change: StateChange)]] = [:]
        for change in base where change.slot.type == name { histories[change.slot] = [(-1, change)] }
        for (place, entry) in entries.enumerated() {
            for change in entry.states where change.slot.type == name {
                histories[change.slot, default: []].append((place, change))
            }
        }
        if let scope { histories = histories.filter { $0.key.scope == scope } }
        let found = histories.values.compactMap { lastChange(in: $0, path) }.max { $0.place < $1.place }
        if let found {
            return why(
                subject, entries[found.place], isShared: found.isShared, old: ValueTree(of: found.old),
                new: ValueTree(of: found.new), changes: ValueChange.between(found.old, found.new)
            )
        }
        let values = histories.values.map { $0.last { !$0.change.isGone }?.change.value as? S }
        let value = values.count == 1 ? values[0].map { ValueTree(of: $0[keyPath: path]).text } : nil
        return unchanged(subject, value, isKnown: !values.isEmpty && values.allSatisfy { $0 != nil })
    }

    /// The last change of a value. It is searched from the end, so the path is applied to no more states than
    /// necessary.
    private func lastChange<S: Relux.State, V: Equatable>(
        in history: [(place: Int, change: StateChange)], _ path: KeyPath<S, V>
    ) -> (place: Int, isShared: Bool, old: V, new: V)? {
        for (former, latter) in zip(history, history.dropFirst()).reversed() {
            // If the state was removed and added again, only its last lifetime counts.
            if latter.change.isGone { continue }
            guard !latter.change.isStart, let old = former.change.value as? S, let new = latter.change.value as? S
            else { return nil }
            let (before, after) = (old[keyPath: path], new[keyPath: path])
            if !isSame(before, after) { return (latter.place, latter.change.isShared, before, after) }
        }
        return nil
    }

    /// Why a value is what it is, for a path that is given as text, such as `Items.State.list[3].title`.
    ///
    /// Elements that are `Identifiable` are named by their ids, others by their indices; the payload of an enum's case
    /// by the name of the case.
    ///
    /// - Parameters:
    ///   - path: The name of a state, and the value in it. Without a value, the whole state.
    ///   - scope: The instance; nil for whichever changed last.
    /// - Complexity: O(n) in the number of events and in what they changed.
    public func why(_ path: String, in scope: String? = nil) -> Why {
        typealias Found = (
            place: Int, entry: TraceEntry, isShared: Bool, old: ValueTree?, new: ValueTree?, changes: [ValueChange]
        )
        var found: [StateSlot: Found] = [:]
        var place = 0
        var isKnown = false
        var value: String?
        var trees: [StateSlot: ValueTree] = [:]
        var states: Set<String> = []
        var missing: String?
        forEachStep { entry, changes in
            place += 1
            for change in changes {
                states.insert(change.slot.type)
                guard let rest = path.path(in: change.slot.type), scope.map({ $0 == change.slot.scope }) ?? true
                else { continue }
                isKnown = true
                let before = trees[change.slot]
                let after = change.isGone ? nil : (before ?? .leaf("")).applying(change.changes ?? [])
                trees[change.slot] = after
                let inside = (change.changes ?? []).compactMap { $0.inside(rest) }
                let whole = inside.last { $0.path.isEmpty }
                // The trees don't have all elements of a large collection.
                let isOld = !inside.isEmpty && whole?.after == nil
                let old = before?.part(at: rest) ?? (isOld ? .leaf("…") : nil)
                let new = after?.part(at: rest) ?? (whole.map(\.new) ?? (inside.isEmpty ? nil : .leaf("…")))
                value = new?.text
                if let after { missing = new == nil ? after.explanation(ofMissing: rest, in: change.slot.type) : nil }
                if change.isStart { found[change.slot] = nil }
                // A secret that has changed looks the same.
                guard let entry, old != new || !inside.isEmpty, !change.isStart, !change.isGone else { continue }
                found[change.slot] = (place, entry, change.isShared, old, new, inside)
            }
        }
        if let last = found.values.max(by: { $0.place < $1.place }) {
            return why(
                path, last.entry, isShared: last.isShared, old: last.old, new: last.new, changes: last.changes)
        }
        if !isKnown, !states.isEmpty {
            let known = states.sorted().joined(separator: ", ")
            missing = "this trace has no values of such a state. It has those of \(known)."
        }
        return unchanged(path, value, isKnown: isKnown, missing)
    }

    private func unchanged(_ subject: String, _ value: String?, isKnown: Bool, _ missing: String? = nil) -> Why {
        let remark =
            missing
            ?? (isKnown
                ? "nothing in this trace has changed it" + (value.map { "; it is \($0)" } ?? "")
                : "this trace has no values of it. Record with `states: .changed`.")
        return Why(
            subject: subject, old: nil, new: value, action: nil, remark: remark, causes: [], origin: nil, parts: []
        )
    }

    private func why(
        _ subject: String, _ entry: TraceEntry, isShared: Bool, old: ValueTree?, new: ValueTree?,
        changes: [ValueChange]
    ) -> Why {
        let action: Action? = if case .action(let action) = entry.event { action } else { nil }
        let other = isShared ? "another action of its step, whose reducer isn't known" : nil
        let (causes, origin) = action.map { self.causes(of: $0) } ?? ([], nil)
        return Why(
            subject: subject, old: old?.text, new: new?.text, action: action,
            remark: action == nil ? entry.event.line(at: entry.time) : other, causes: causes, origin: origin,
            parts: ShortText.parts(of: old, new, changedBy: changes)
        )
    }

    /// An action and its causes, back to the first call, and the line of that.
    func causes(of action: Action) -> (causes: [Why.Cause], origin: String?) {
        let actions = Dictionary(self.actions.map { ($0.sequence, $0) }, uniquingKeysWith: { $1 })
        let runs = Dictionary(self.runs.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        var causes: [Why.Cause] = []
        var next: Action? = action
        var origin = action.callSite
        // Causes have lower numbers, so this ends.
        while let current = next {
            causes.append(.action(current))
            origin = current.callSite
            next = nil
            if let followed = current.follows, followed < current.sequence, let action = actions[followed] {
                next = action
            } else if let cause = current.cause {
                causes.append(.run(runs[cause.id] ?? Run(cause)))
                origin = cause.callSite
                next = cause.trigger.flatMap { $0 < current.sequence ? actions[$0] : nil }
            }
        }
        return (causes, origin)
    }
}

extension Relux.Trace.Run {
    /// A run that is known only from a reference to it.
    fileprivate init(_ reference: Relux.Trace.RunReference) {
        self.init(
            id: reference.id, kind: "saga", saga: reference.name, name: reference.name, trigger: reference.trigger,
            callSite: reference.callSite, scope: nil, startTime: nil, endTime: nil, outcome: nil
        )
    }
}

extension String {
    /// The path in a state; nil if this names another state.
    fileprivate func path(in type: String) -> String? {
        let plain = withoutUnwrapping
        // The library's own types may be named with or without its namespace.
        guard let name = [type, type.replacing("Relux.", with: "")].first(where: plain.hasPrefix) else { return nil }
        let rest = plain.dropFirst(name.count)
        guard rest.isEmpty || rest.hasPrefix(".") || rest.hasPrefix("[") else { return nil }
        return String(rest.hasPrefix(".") ? rest.dropFirst() : rest)
    }

    /// The path without question marks, except those in brackets, which belong to ids and keys.
    private var withoutUnwrapping: String {
        var depth = 0
        var (isQuoted, isEscaped) = (false, false)
        return filter { character in
            switch character {
            case _ where isEscaped: isEscaped = false
            case "\\" where isQuoted: isEscaped = true
            case "\"" where depth > 0: isQuoted.toggle()
            case "[" where !isQuoted: depth += 1
            case "]" where !isQuoted: depth = max(depth - 1, 0)
            case "?": return depth > 0
            default: break
            }
            return true
        }
    }
}

extension ValueTree {
    /// The part with a path as text.
    fileprivate func part(at path: String) -> ValueTree? {
        if path.isEmpty { return self }
        guard case .branch(_, let parts) = self else { return nil }
        for part in parts where path.hasPrefix(part.key) {
            let rest = path.dropFirst(part.key.count)
            guard rest.isEmpty || rest.hasPrefix(".") || rest.hasPrefix("[") else { continue }
            return part.value.part(at: String(rest.hasPrefix(".") ? rest.dropFirst() : rest))
        }
        return nil
    }

    /// The text for a path that doesn't exist: the parts that do.
    fileprivate func explanation(ofMissing path: String, in name: String) -> String {
        guard case .branch(_, let parts) = self else { return "there is no such value; \(name) has no parts." }
        let next = parts.first { part in
            guard path.hasPrefix(part.key) else { return false }
            let rest = path.dropFirst(part.key.count)
            return rest.hasPrefix(".") || rest.hasPrefix("[")
        }
        guard let next else {
            if parts.contains(where: { $0.key == "[…]" }) {
                return "nothing in this trace has changed it; of \(name), \(parts.count - 1) elements are known."
            }
            let keys = parts.prefix(20).map(\.key).joined(separator: ", ")
            return "there is no such value; \(name) has \(keys.isEmpty ? "no parts" : keys)."
        }
        let rest = path.dropFirst(next.key.count)
        let inner = name + (next.key.hasPrefix("[") ? "" : ".") + next.key
        return next.value.explanation(ofMissing: String(rest.hasPrefix(".") ? rest.dropFirst() : rest), in: inner)
    }
}

/// A key path as code writes it after the type, such as `.list[…]?.title`.
private func keyPathText(_ path: AnyKeyPath) -> String {
    // A computed part, such as a subscript, has an address in place of a name. Its type says more.
    let text = "\(path)".replacing(/<computed 0x[0-9a-f]+ \((.*?)\)>/) { "(\($0.1))" }
    return text.first == "\\" ? String(text.drop { $0 != "." && $0 != "[" }.drop { $0 != "." }) : " at \(text)"
}
