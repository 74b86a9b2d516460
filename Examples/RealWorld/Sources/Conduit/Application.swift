import Relux
import ReluxPersistence
import ReluxQueries

package enum Page: Hashable, Sendable, Codable {
    case article(String)
    case profile(String)
    /// A new article, or the one with a slug. ``Edit`` opens the latter.
    case editor(String?)
}

package typealias Pages = Relux.Navigation.Stack<Page>

/// The list that the first screen shows.
package struct Home: Relux.State {
    package var feed = FeedKey.global

    package enum Action: Relux.Action, Hashable { case select(FeedKey) }

    package mutating func reduce(_ action: Action) { if case .select(let feed) = action { self.feed = feed } }
}

/// The app has become active, or the connection is back: what is shown and stale is asked for again.
package struct Returned: Relux.Action { package init() {} }

struct ArticlePage: Relux.Module, Identifiable {
    let id: Pages.Entry.ID
    let slug: String

    var watchers: [any Relux.Watcher] {
        [
            Relux.Using(Articles.self, slug), Relux.Using(Comments.self, slug),
            Relux.Using(Profiles.self, fetching: false) { reader in
                reader.query(Articles.self, slug).value.map { [$0.author.username] } ?? []
            },
        ]
    }
    var openingActions: [any Relux.Action] {
        [Relux.Prefetch(Articles.self, slug), Relux.Prefetch(Comments.self, slug)]
    }
}

struct ProfilePage: Relux.Module, Identifiable {
    let id: Pages.Entry.ID
    let name: String

    var watchers: [any Relux.Watcher] {
        [Relux.Using(Profiles.self, name), Relux.Using(Feed.self, .author(name)), keepingRows { _ in .author(name) }]
    }
    var openingActions: [any Relux.Action] {
        [Relux.Prefetch(Profiles.self, name), Relux.Prefetch(Feed.self, .author(name))]
    }
}

/// Keeps the articles that the rows of a list show.
private func keepingRows(
    _ key: @escaping @Sendable (borrowing Relux.StateReader) -> FeedKey
) -> Relux.Using<Articles> {
    Relux.Using(Articles.self, fetching: false) { reader in
        reader.query(Feed.self, key(reader)).value?.elements.ids ?? []
    }
}

package struct Application: Relux.Module {
    let api: API
    let storage: any Relux.Storage

    package init(_ transport: any Transport, storage: any Relux.Storage) {
        api = API(transport)
        self.storage = storage
    }

    package var states: [any Relux.State] { [Home(), Notice(), Pages(), Session()] }
    package var dependencies: [any Relux.Module] {
        [
            Relux.Queries(Articles(api: api), persistence: [saved(Articles.self, as: "articles")]),
            Relux.Queries(Profiles(api: api)),
            Relux.Queries(Feed(api: api), persistence: [saved(Feed.self, as: "feeds")]),
            Relux.Queries(Comments(api: api)),
            Relux.Queries(Tags(api: api)),
        ]
    }
    package var rules: [Relux.Rule] {
        [
            .init(on: Returned.self) { _, _ in
                [
                    Relux.Recheck(Articles.self),
                    Relux.Recheck(Profiles.self),
                    Relux.Recheck(Feed.self),
                    Relux.Recheck(Comments.self),
                    Relux.Recheck(Tags.self),
                ]
            }
        ]
    }
    package var sagas: [any Relux.Saga] {
        [Authenticator(api: api), Leaver(), Opener(), SettingsSaga(api: api)]
    }
    package var watchers: [any Relux.Watcher] {
        [
            ExpirationWatcher(api: api), Relux.Using(Tags.self, .all),
            Relux.Using(Feed.self) { [$0[Home.self]?.feed ?? .global] },
            keepingRows { $0[Home.self]?.feed ?? .global },
        ]
    }
    package var children: [Relux.Children] {
        [
            .each(of: Pages.self, \.entries) { entry, _, reader in
                switch entry.page {
                case .article(let slug): ArticlePage(id: entry.id, slug: slug)
                case .profile(let name): ProfilePage(id: entry.id, name: name)
                case .editor(let slug):
                    EditorPage(
                        id: entry.id, slug: slug, author: reader[Session.self]?.user?.username,
                        article: slug.flatMap { reader.query(Articles.self, $0).value }, api: api, storage: storage)
                }
            }
        ]
    }
    package var persistence: [any Relux.StatePersistence] {
        [Relux.Saved(Session.self, as: "session", in: storage, saving: { $0.user }, restoring: { $0.user = $1 })]
    }

    /// What was read before is there offline.
    private func saved<Q: Relux.Query>(
        _ query: Q.Type, as name: String
    ) -> any Relux.StatePersistence where Q.Key: Codable, Q.Value: Codable {
        Relux.Saved(
            Relux.QueryState<Q>.self, as: name, in: storage, saving: \.saved, restoring: { $0.saved = $1 },
            elements: \.values)
    }
}

extension Application {
    /// The scope of an editor that is open.
    package static func editor(_ id: Pages.Entry.ID, in store: Relux.Store) -> Relux.Scope {
        store.scope(of: EditorPage.self, id: id)
    }
}

extension Relux.StateReader {
    /// The editor of an entry; nil until its draft has been loaded.
    package func editor(_ id: Pages.Entry.ID) -> EditorState? {
        states(of: EditorState.self, in: EditorPage.self).first { $0.id == id }?.state
    }
}
