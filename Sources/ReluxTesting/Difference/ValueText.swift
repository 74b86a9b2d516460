/// The text of a whole value: on one line if it fits, otherwise with one part per line.
struct ValueText {
    private static let width = 80
    private static let partLimit = 200
    private static let depthLimit = 30

    private var parts = 0
    private var path = InstancePath()

    /// Returns a value as lines, with nested ones indented.
    static func lines(_ value: Any) -> [String] {
        let line = line(value)
        if line.count <= width, !line.contains("\n") { return [line] }

        var text = ValueText()
        return text.block(value, depth: 0).flatMap { $0.lines.map(String.init) }
    }

    /// Returns a value on one line, with an ellipsis in place of parts beyond the limit.
    static func line(_ value: Any) -> String {
        var text = ValueText()
        return text.inline(value, depth: 0)
    }

    /// Returns the text of a value without parts: its own description if it has one.
    static func leaf(_ value: Any) -> String {
        if value is any Actor { return TypeName.short(type(of: value)) }
        if let value = value as? any CustomDebugStringConvertible { return value.debugDescription }
        if let value = value as? any CustomStringConvertible { return value.description }

        switch Mirror(reflecting: value).displayStyle {
        case .enum: return ".\(value)"
        case .struct, .class: return "\(TypeName.short(type(of: value)))()"
        default: return String(reflecting: value)
        }
    }
}

// MARK: - On one line

extension ValueText {
    private mutating func inline(_ value: Any, depth: Int) -> String {
        parts += 1
        guard parts <= Self.partLimit, depth <= Self.depthLimit else { return "…" }
        guard path.enter(value) else { return "\(TypeName.short(type(of: value)))(↺)" }
        defer { path.leave(value) }

        switch Shape(of: value) {
        case .leaf: return Self.leaf(value)
        case .lines: return String(reflecting: value)
        case .none: return "nil"
        case .some(let wrapped):
            if case .none = Shape(of: wrapped) { return ".some(nil)" }
            return inline(wrapped, depth: depth)
        case .fields(let type, let parts): return "\(type)(\(inline(parts, depth)))"
        case .enumCase(let name, let parts): return ".\(name)(\(inline(parts, depth)))"
        case .list(let children):
            return "[\(inline(children.lazy.map { Shape.Part(label: "", value: $0.value) }, depth))]"
        case .set(let children):
            let (rest, share) = (Self.partLimit - parts, share(for: children.count))
            var texts = children.map { inline($0.value, depth: depth, share: share) }
            texts.sort(by: TextOrder.precedes)
            if texts.count > rest { texts[rest...] = ["…"] }
            parts += min(texts.count, rest)
            return "[\(texts.joined(separator: ", "))]"
        case .dictionary(let children):
            if children.isEmpty { return "[:]" }
            let share = share(for: children.count)
            let entries = Entry.sorted(children) { inline($0, depth: depth, share: share) }
            return "[\(inline(entries.lazy.map { Shape.Part(label: $0.text, value: $0.value) }, depth))]"
        }
    }

    /// The number of parts that each of some elements may have, at least itself.
    ///
    /// The elements of sets and the keys of dictionaries come in the order of hashing. With equal shares, their texts
    /// don't depend on it.
    private func share(for count: Int) -> Int { max((Self.partLimit - parts) / max(count, 1), 1) }

    /// Returns an element that may have a number of parts. Counts those inside it, not the element itself.
    private mutating func inline(_ value: Any, depth: Int, share: Int) -> String {
        var text = self
        text.parts = Self.partLimit - share
        let line = text.inline(value, depth: depth + 1)
        parts += min(text.parts - (Self.partLimit - share), share) - 1
        return line
    }

    private mutating func inline(_ parts: some Sequence<Shape.Part>, _ depth: Int) -> String {
        var texts: [String] = []
        for part in parts {
            let text = inline(part.value, depth: depth + 1)
            texts.append(part.label.isEmpty ? text : "\(part.label): \(text)")
            if self.parts > Self.partLimit { break }
        }
        return texts.joined(separator: ", ")
    }
}

// MARK: - One part per line

extension ValueText {
    private mutating func block(_ value: Any, depth: Int) -> [String] {
        parts += 1
        guard parts <= Self.partLimit, depth <= Self.depthLimit else { return ["…"] }
        guard path.enter(value) else { return ["\(TypeName.short(type(of: value)))(↺)"] }
        defer { path.leave(value) }

        switch Shape(of: value) {
        case .lines(let lines): return ["\"\"\""] + lines.map { "    \($0)" } + ["    \"\"\""]
        case .some(let wrapped): return block(wrapped, depth: depth)
        case .fields(let type, let parts): return block(opening: "\(type)(", parts, closing: ")", depth)
        case .enumCase(let name, let parts): return block(opening: ".\(name)(", parts, closing: ")", depth)
        case .list(let children):
            let parts = children.lazy.enumerated().map { Shape.Part(label: "[\($0)]", value: $1.value) }
            return block(opening: "[", parts, closing: "]", depth)
        case .dictionary(let children):
            let parts = Entry.sorted(children).lazy.map { Shape.Part(label: "[\($0.text)]", value: $0.value) }
            return block(opening: "[", parts, closing: "]", depth)
        case .set(let children):
            let texts = children.map { Self.line($0.value) }.sorted(by: TextOrder.precedes)
            let shown = texts.prefix(Self.partLimit).map { "    \($0)" }
            return ["["] + shown + (texts.count > shown.count ? ["    …"] : []) + ["]"]
        case .leaf: return [Self.leaf(value)]
        case .none: return ["nil"]
        }
    }

    private mutating func block(
        opening: String,
        _ parts: some Sequence<Shape.Part>,
        closing: String,
        _ depth: Int
    ) -> [String] {
        var lines = [opening]
        for part in parts {
            let inner = Self.fitting(part) ?? labelled(part.label, block(part.value, depth: depth + 1))
            lines += inner.map { "    \($0)" }
            guard self.parts < Self.partLimit else {
                lines.append("    …")
                break
            }
            self.parts += 1
        }
        return lines + [closing]
    }

    private static func fitting(_ part: Shape.Part) -> [String]? {
        let line = line(part.value)
        guard line.count <= width, !line.contains("\n") else { return nil }
        return [part.label.isEmpty ? line : "\(part.label): \(line)"]
    }

    private func labelled(_ label: String, _ lines: [String]) -> [String] {
        guard !label.isEmpty, let first = lines.first else { return lines }
        return ["\(label): \(first)"] + lines.dropFirst()
    }
}
