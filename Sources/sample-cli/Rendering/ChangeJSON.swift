import Foundation
import SampleDomain
import SampleServices

/// A change in JSON, for scripts. Its format is part of the program's contract: see ``Texts/watchJSONNote``.
struct ChangeJSON: JSONLine {
    private enum CodingKeys: String, CodingKey {
        case feature, change, profile, count, item, setting, user, before, problem
    }

    private let feature: Application.Feature
    private let change: String
    private let profile: String?
    private var count: Int?
    private var item: ItemRow?
    private var setting: SettingRow?
    private var user: UserJSON?
    private var before: String?
    private var problem: ProblemRow?

    /// - Parameters:
    ///   - list: The list after the change.
    ///   - profile: The profile that is signed in, or nil for none.
    init(_ change: Application.Change, in list: Items.List, profile: Profile?) {
        self.profile = profile?.name.text
        switch change {
        case .entered(let entrance):
            feature = .session
            self.change = entrance.isFirst ? "watching" : entrance.profile == nil ? "signedOut" : "signedIn"
            count = entrance.count
        case .items(let change):
            feature = .items
            self.change = Self.word(for: change)
            let position = list.active.firstIndex { $0.id == change.item.id }.map { $0 + 1 }
            item = ItemRow(item: change.item, position: position)
            switch change {
            case .renamed(_, let title): before = title
            case .moved(_, let position, _): before = String(position)
            case .added, .completed, .reopened, .deleted: break
            }
        case .settings(let setting):
            feature = .settings
            self.change = "changed"
            self.setting = SettingRow(setting)
        case .users(let change):
            feature = .users
            (self.change, user, before) = Self.describe(change)
        case .damaged(let problem):
            feature = problem.feature
            self.change = "damaged"
            self.problem = ProblemRow(file: problem.place, text: problem.explanation)
        case .mended(let problem):
            feature = problem.feature
            self.change = "mended"
            self.problem = ProblemRow(file: problem.place, text: problem.explanation)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(feature.rawValue, forKey: .feature)
        try container.encode(change, forKey: .change)
        // Nil values are encoded as null, so that every object has the same keys.
        try container.encode(profile, forKey: .profile)
        try container.encode(count, forKey: .count)
        try container.encode(item, forKey: .item)
        try container.encode(setting, forKey: .setting)
        try container.encode(user, forKey: .user)
        try container.encode(before, forKey: .before)
        try container.encode(problem, forKey: .problem)
    }

    private static func word(for change: Items.Change) -> String {
        switch change {
        case .added: "added"
        case .renamed: "renamed"
        case .completed: "completed"
        case .reopened: "reopened"
        case .moved: "moved"
        case .deleted: "deleted"
        }
    }

    private static func describe(_ change: Users.Change) -> (String, UserJSON?, String?) {
        switch change {
        case .arrived(let user): ("arrived", UserJSON(user: user), nil)
        case .left(let user): ("left", UserJSON(user: user), nil)
        case .appeared(let user): ("appeared", UserJSON(user: user), nil)
        case .vanished(let user): ("vanished", UserJSON(user: user), nil)
        case .renamed(let user, let name): ("renamed", UserJSON(user: user), name)
        // These two are reported as problems instead.
        case .damaged: ("damaged", nil, nil)
        case .mended: ("mended", nil, nil)
        }
    }
}

// MARK: - Nested objects

extension ChangeJSON {
    private struct ProblemRow: Encodable {
        let file: String
        let text: String
    }

    private struct SettingRow: Encodable {
        let name: String
        let value: String

        init(_ setting: Settings.Setting) {
            switch setting {
            case .displayName(let text): (name, value) = ("displayName", text)
            case .listName(let text): (name, value) = ("listName", text)
            case .theme(let theme): (name, value) = ("theme", theme.rawValue)
            }
        }
    }

    private struct ItemRow: Encodable {
        let item: Item
        let position: Int?

        enum CodingKeys: String, CodingKey {
            case id, title, position, created, updated, completed
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(item.id.uuidString.lowercased(), forKey: .id)
            try container.encode(item.title, forKey: .title)
            try container.encode(position, forKey: .position)
            try container.encode(item.created.json, forKey: .created)
            try container.encode(item.updated.json, forKey: .updated)
            try container.encode(item.completed?.json, forKey: .completed)
        }
    }
}
