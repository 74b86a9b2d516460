import Relux

/// A state with everything that controls bind, and a reducer that normalises, ignores, and refuses.
struct Form: Relux.State {
    struct Sheet: Hashable, Sendable, Identifiable {
        let id: Int
        var title = ""
    }

    var title = ""
    var isOn = false
    var sheet: Sheet?
    var alert: String?
    var path: [Int] = []
    var count = 0

    enum Action: Relux.Action, Hashable {
        /// Letters become capital. `Z` is refused.
        case titleChanged(String)
        case toggled(Bool)
        case presented(Sheet?)
        /// Names what is dismissed.
        case dismissed(Sheet.ID)
        case alerted(String?)
        case pathChanged([Int])
        case counted
        case ignored
    }

    mutating func reduce(_ action: Action) {
        switch action {
        case .titleChanged(let title):
            let capital = title.uppercased()
            if !capital.contains("Z") { self.title = capital }
        case .toggled(let isOn): self.isOn = isOn
        case .presented(let sheet): self.sheet = sheet
        case .dismissed(let id): if sheet?.id == id { sheet = nil }
        case .alerted(let text): alert = text
        case .pathChanged(let path): self.path = path
        case .counted: count += 1
        case .ignored: break
        }
    }

    struct Module: Relux.Module {
        var states: [any Relux.State] { [Form()] }
    }

    /// The same for a form that exists many times.
    struct Instance: Relux.Module, Identifiable {
        let id: Int

        var states: [any Relux.State] { [Form()] }
    }
}
