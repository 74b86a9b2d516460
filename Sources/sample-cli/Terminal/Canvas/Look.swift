/// The semantic role of text on the screen. A ``Palette`` determines its appearance.
struct Look: Sendable, Hashable {
    enum Role: Sendable, Hashable {
        case plain
        /// A heading.
        case title
        /// Less important text: completed items, offline users, hints.
        case faint
        /// Highlighted text.
        case accent
        /// An error.
        case failure
        /// A colour that is itself the information.
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

    /// The same look, with or without the cursor of a list.
    func selected(_ isSelected: Bool) -> Look { Look(role: role, isSelected: isSelected) }
}
