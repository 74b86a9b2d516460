import SampleServices

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

/// The appearance of looks: a theme, or no colours.
struct Palette: Sendable, Hashable {
    var theme: UserSettings.Theme
    let isColourful: Bool

    /// Enables colours unless `NO_COLOR` is set. Attributes other than colours are always used.
    init(theme: UserSettings.Theme = .pilbara, environment: [String: String]) {
        self.theme = theme
        isColourful = environment["NO_COLOR"].map(\.isEmpty) ?? true
    }

    /// The escape sequence that selects a look, independent of the previous one.
    func sequence(for look: Look) -> String {
        var codes = ["0"] + codes(for: look.role)
        if look.isSelected { codes.append("7") }
        return "\u{1B}[\(codes.joined(separator: ";"))m"
    }

    private func codes(for role: Look.Role) -> [String] {
        switch role {
        case .plain: []
        case .title: isColourful ? ["1", "38;5;\(colours.title)"] : ["1"]
        case .faint: ["2"]
        case .accent: isColourful ? ["38;5;\(colours.accent)"] : ["1"]
        case .failure: isColourful ? ["1", "31"] : ["1"]
        case .colour(let red, let green, let blue): isColourful ? ["38;2;\(red);\(green);\(blue)"] : []
        }
    }

    /// Indexes in the 256-colour palette: red earth, or deep water.
    private var colours: (title: Int, accent: Int) {
        switch theme {
        case .pilbara: (166, 214)
        case .collaroy: (31, 80)
        }
    }
}
