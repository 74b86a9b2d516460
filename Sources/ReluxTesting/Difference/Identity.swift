/// The identity of values within a collection.
enum Identity {
    /// Returns the id of an identifiable value.
    ///
    /// An instance that is identified by its address has no id here, because no other instance could match it.
    static func of(_ value: Any) -> AnyHashable? {
        guard let value = value as? any Identifiable else { return nil }
        let id = erasedID(of: value)
        return id.base is ObjectIdentifier ? nil : id
    }

    /// Returns the ids of all values if each has one and no two are equal.
    static func all(of values: [Any]) -> [AnyHashable]? {
        var ids: [AnyHashable] = []
        for value in values {
            guard let id = of(value) else { return nil }
            ids.append(id)
        }
        return Set(ids).count == ids.count ? ids : nil
    }

    /// Returns a value on one line, or only its id if the line would be long.
    static func line(_ value: Any) -> String {
        let line = ValueText.line(value)
        guard line.count > 60, let id = of(value) else { return line }
        return "\(TypeName.short(type(of: value)))(id: \(ValueText.line(id.base)), …)"
    }

    private static func erasedID<Value: Identifiable>(of value: Value) -> AnyHashable {
        AnyHashable(value.id)
    }
}

/// Shortens two long texts in such a way that the start of their difference remains visible.
enum LongText {
    private static let limit = 160
    private static let lead = 20

    static func abbreviated(_ first: [String], _ second: [String]) -> ([String], [String]) {
        guard let one = first.first, let other = second.first, first.count == 1, second.count == 1,
            max(one.utf8.count, other.utf8.count) > limit
        else { return (first, second) }

        let common = one.commonPrefix(with: other)
        let dropped = max(0, common - lead)
        return ([shortened(one, dropped)], [shortened(other, dropped)])
    }

    private static func shortened(_ text: String, _ dropped: Int) -> String {
        let rest = text.dropFirst(dropped)
        let shown = rest.prefix(limit)
        return (dropped > 0 ? "…" : "") + shown + (shown.endIndex < rest.endIndex ? "…" : "")
    }
}

extension String {
    /// Returns the number of characters in the common prefix of two strings.
    fileprivate func commonPrefix(with other: String) -> Int {
        var count = 0
        for (character, otherCharacter) in zip(self, other) {
            guard character == otherCharacter else { break }
            count += 1
        }
        return count
    }
}
