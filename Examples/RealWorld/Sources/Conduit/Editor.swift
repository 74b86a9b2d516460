import Relux
import ReluxPersistence
import ReluxQueries

/// What is written, for a new article or one that exists.
package struct Draft: Codable, Hashable, Sendable {
    package struct Text: Codable, Hashable, Sendable {
        package var title = ""
        package var description = ""
        package var body = ""
        package var tagList: [String] = []

        package init() {}
    }

    package var slug: String?
    package var text = Text()
}

/// The editor. Its draft is saved as it is typed, and is there after a kill.
package struct EditorState: Relux.State {
    package var draft: Draft
    package var isPublishing = false
    package var failure: APIError?

    package enum Action: Relux.Action, Hashable {
        case typed(Draft.Text)
        case published
        case failed(APIError)
    }

    package mutating func reduce(_ action: Action) {
        switch action {
        case .typed(let text): draft.text = text
        case .published: (draft.text, isPublishing, failure) = (.init(), false, nil)
        case .failed(let failure): (self.failure, isPublishing) = (failure, false)
        }
    }
}

package struct Publish: Relux.Effect, Hashable { package init() {} }

struct Publisher: Relux.Saga {
    let api: API

    func policy(for effect: Publish) -> Relux.Policy { .leading }

    func actionOnStart(_ effect: Publish) -> (any Relux.Action)? { EditorBegun() }

    func run(_ effect: Publish, in context: Relux.SagaContext) async throws {
        do {
            let draft = try await context.state(of: EditorState.self).draft
            let article = try await api.publish(draft, context.token)
            let now = context.now
            await context.dispatch {
                EditorState.Action.published
                Relux.Provide(Articles.self, article, for: article.slug, at: now)
                Relux.Invalidate(Feed.self)
                Relux.Invalidate(Tags.self)
            }
            // The next visit begins with an empty draft, also after a kill.
            await context.dismiss()
        } catch let error as APIError {
            await context.finish(with: EditorState.Action.failed(error))
        }
    }
}

struct EditorBegun: Relux.Action {}

struct EditorPage: Relux.Module, Identifiable {
    let id: Pages.Entry.ID
    let slug: String?
    let api: API
    let storage: any Relux.Storage

    var states: [any Relux.State] { [EditorState(draft: Draft(slug: slug))] }
    var reducers: [Relux.Reducer] {
        [
            .init(of: EditorState.self, on: EditorBegun.self) { state, _ in
                (state.isPublishing, state.failure) = (true, nil)
            }
        ]
    }
    var sagas: [any Relux.Saga] { [Publisher(api: api)] }
    var persistence: [any Relux.StatePersistence] {
        [
            Relux.Saved(
                EditorState.self, as: "draft", in: storage, id: slug ?? "new", saving: \.draft.text,
                restoring: { $0.draft.text = $1 }, onReset: .save)
        ]
    }
}
