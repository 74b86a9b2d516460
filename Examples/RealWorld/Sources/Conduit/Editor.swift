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

        init(_ article: Article?) {
            guard let article else { return }
            (title, description, body) = (article.title, article.description, article.body ?? "")
            tagList = article.tagList
        }
    }

    package var slug: String?
    package var text = Text()
}

/// The editor. Its draft is saved as it is typed, and is there after a kill.
package struct EditorState: Relux.State {
    package var draft: Draft
    /// The text as the server has it. Empty for a new article.
    package var original = Draft.Text()
    package var isPublishing = false
    package var failure: APIError?

    package enum Action: Relux.Action, Hashable {
        case typed(Draft.Text)
        case began
        case ended
        case published(Draft.Text)
        case failed(APIError)
    }

    package mutating func reduce(_ action: Action) {
        switch action {
        case .typed(let text): draft.text = text
        case .began: (isPublishing, failure) = (true, nil)
        case .ended: isPublishing = false
        case .published(let sent):
            if draft.slug != nil { original = sent }
            if draft.text == sent { draft.text = original }
            isPublishing = false
        case .failed(let failure): (self.failure, isPublishing) = (failure, false)
        }
    }
}

package struct Publish: Relux.Effect, Hashable { package init() {} }

struct Publisher: Relux.Saga {
    let api: API

    func policy(for effect: Publish) -> Relux.Policy { .leading }

    func actionOnStart(_ effect: Publish) -> (any Relux.Action)? { EditorState.Action.began }
    func actionOnCancel(_ effect: Publish) -> (any Relux.Action)? { EditorState.Action.ended }
    func actionOnFailure(_ effect: Publish, _ error: any Error) -> (any Relux.Action)? {
        (error as? APIError).map { EditorState.Action.failed($0) }
    }

    func run(_ effect: Publish, in context: Relux.SagaContext) async throws {
        let draft = try await context.state(of: EditorState.self).draft
        let article = try await api.publish(draft, context.token)
        let now = context.now
        await context.dispatch {
            EditorState.Action.published(draft.text)
            Relux.Provide(Articles.self, article, for: article.slug, at: now)
            Relux.Invalidate(Feed.self)
            Relux.Invalidate(Tags.self)
        }
        // The next visit begins without this draft, even after a kill.
        try await context.saved(EditorState.self)
        await context.dismiss()
    }
}

/// Opens the editor of an article, which is asked for first if its text isn't known.
package struct Edit: Relux.Effect, Hashable {
    let slug: String

    package init(_ slug: String) { self.slug = slug }
}

struct Opener: Relux.Saga {
    func policy(for effect: Edit) -> Relux.Policy { .leading }

    func actionOnFailure(_ effect: Edit, _ error: any Error) -> (any Relux.Action)? {
        (error as? APIError).map { Notice.Action.show($0) }
    }

    func run(_ effect: Edit, in context: Relux.SagaContext) async throws {
        if await context.read({ $0.query(Articles.self, effect.slug).value?.body }) == nil {
            _ = try await context.call(Relux.Fetch(Articles.self, effect.slug, .anew))
        }
        await context.dispatch(Pages.Action.push(.editor(effect.slug), ifNotOnTop: true))
    }
}

struct EditorPage: Relux.Module, Identifiable {
    let id: Pages.Entry.ID
    let slug: String?
    /// The name of the user.
    let author: String?
    /// The article with the slug.
    let article: Article?
    let api: API
    let storage: any Relux.Storage

    var states: [any Relux.State] {
        let text = Draft.Text(article)
        return [EditorState(draft: Draft(slug: slug, text: text), original: text)]
    }
    var sagas: [any Relux.Saga] { [Publisher(api: api)] }
    /// Drafts belong to a user, and survive the end of the session.
    var persistence: [any Relux.StatePersistence] {
        [
            Relux.Saved(
                EditorState.self, as: "draft", in: storage, id: [author, slug],
                saving: { $0.draft.text == $0.original ? nil : $0.draft.text },
                restoring: { if let text = $1 { $0.draft.text = text } }, onReset: .keep)
        ]
    }
}
