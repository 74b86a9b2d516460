import SampleServices

/// What looks look like: a theme, or no colours at all.
struct Palette: Sendable, Hashable {
    var theme: UserSettings.Theme
    let isColourful: Bool

    /// Colours, unless the user has none of it. What can be told apart without them stays.
    init(theme: UserSettings.Theme = .pilbara, environment: [String: String]) {
        self.theme = theme
        isColourful = environment["NO_COLOR"].map(\.isEmpty) ?? true
    }

    /// The sequence that makes everything after it look like this, whatever it looked like before.
    func sequence(for look: Look) -> String {
        var codes = ["0"] + codes(for: look.role)
        if look.isSelected { codes.append("7") }
        return "\u{1B}[\(codes.joined(separator: ";"))m"
    }

    private func codes(for role: Look.Role) -> [String] {
        switch role {
        case .plain: []
        case .title: isColourful ? ["1", "38;5;\(titleColour)"] : ["1"]
        case .faint: ["2"]
        case .accent: isColourful ? ["38;5;\(accentColour)"] : ["1"]
        case .failure: isColourful ? ["1", "31"] : ["1"]
        case .colour(let red, let green, let blue): isColourful ? ["38;2;\(red);\(green);\(blue)"] : []
        }
    }

    /// Of the 256 colours that terminals have: red earth, or deep water.
    private var titleColour: Int {
        switch theme {
        case .pilbara: 166
        case .collaroy: 31
        }
    }

    private var accentColour: Int {
        switch theme {
        case .pilbara: 214
        case .collaroy: 80
        }
    }
}
