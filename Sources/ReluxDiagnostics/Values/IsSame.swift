/// Whether two values of one type are equal according to `==`, or differ only in that both have a NaN in the same
/// places.
///
/// - Complexity: That of `==`. Only values that aren't equal are examined part by part.
func isSame(_ one: Any, _ other: Any) -> Bool { likeness(one, other) != .different }

private enum Likeness: Comparable {
    /// By `==`, as far as the parts have it.
    case equal
    case equalApartFromNaN
    case different
}

private func likeness(_ one: Any, _ other: Any) -> Likeness {
    guard type(of: one) == type(of: other) else { return .different }
    if let one = one as? any Equatable, isEqual(one, other) { return .equal }
    if let one = one as? any FloatingPoint, let other = other as? any FloatingPoint {
        return one.isNaN && other.isNaN ? .equalApartFromNaN : .different
    }
    // The contents of objects and sets are a matter of their own `==`.
    let (first, second) = (Mirror(reflecting: one), Mirror(reflecting: other))
    guard first.displayStyle != .class, first.displayStyle != .set else { return .different }
    let parts = first.displayStyle == .dictionary ? entries(first, second) : parts(first, second)
    guard let parts else { return .different }
    let result = parts.lazy.map { likeness($0, $1) }.max() ?? .equal
    // A difference that no part shows is one all the same.
    return result == .equal && one is any Equatable ? .different : result
}

private func isEqual<Value: Equatable>(_ one: Value, _ other: Any) -> Bool { other as? Value == one }

private func parts(_ first: Mirror, _ second: Mirror) -> [(Any, Any)]? {
    guard first.children.count == second.children.count else { return nil }
    let pairs = zip(first.children, second.children)
    return pairs.allSatisfy { $0.label == $1.label } ? pairs.map { ($0.value, $1.value) } : nil
}

/// The values of two dictionaries with the same keys, by key.
private func entries(_ first: Mirror, _ second: Mirror) -> [(Any, Any)]? {
    func values(_ mirror: Mirror) -> [AnyHashable: Any] {
        mirror.children.reduce(into: [:]) { values, entry in
            guard let (key, value) = entry.value as? (key: AnyHashable, value: Any) else { return }
            values[key] = value
        }
    }
    let (old, new) = (values(first), values(second))
    guard old.count == first.children.count, old.count == new.count else { return nil }
    let pairs = old.compactMap { key, value in new[key].map { (value, $0) } }
    return pairs.count == old.count ? pairs : nil
}
