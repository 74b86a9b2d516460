/// What a text on the screen is, and not what it looks like: a ``Palette`` knows that.
struct Look: Sendable, Hashable {
    enum Role: Sendable, Hashable {
        case plain
        /// Stands above something.
        case title
        /// Matters less: what is done, who is away, hints.
        case faint
        /// Stands out.
        case accent
        /// Went wrong.
        case failure
        /// Shows a colour that is a thing's own.
        case colour(red: UInt8, green: UInt8, blue: UInt8)
    }

    var role: Role = .plain

    /// Whether the cursor of a list is on it.
    var isSelected = false

    static let plain = Look()
    static let title = Look(role: .title)
    static let faint = Look(role: .faint)
    static let accent = Look(role: .accent)
    static let failure = Look(role: .failure)

    /// The same under the cursor of a list, or not.
    func selected(_ isSelected: Bool) -> Look { Look(role: role, isSelected: isSelected) }
}
