/// The semantic role of text on the screen. A ``Palette`` determines its appearance.
struct Look: Sendable, Hashable {
    enum Role: Sendable, Hashable {
        case plain
        case title
        /// Less important text: completed items, offline users, hints.
        case faint
        case accent
        case failure
        /// A colour that is itself the information.
        case colour(red: UInt8, green: UInt8, blue: UInt8)
    }

    var role: Role = .plain
    var isSelected = false

    static let plain = Look()
    static let title = Look(role: .title)
    static let faint = Look(role: .faint)
    static let accent = Look(role: .accent)
    static let failure = Look(role: .failure)

    func selected(_ isSelected: Bool) -> Look { Look(role: role, isSelected: isSelected) }
}
