import Relux

/// A list that is loaded page by page, and that a pull at its top loads from the start.
enum Feed {
    struct Post: Identifiable, Hashable, Sendable {
        let id: Int
        let text: String
    }

    struct Page: Hashable, Sendable {
        let posts: [Post]
        /// Where the next page begins; nil if this is the last one.
        let next: Int?
    }

    struct State: Relux.State, Hashable {
        var posts = Relux.Entities<Post>()
        var next: Int? = 0
        var isLoading = false
        var hasFailed = false

        enum Action: Relux.Action, Hashable { case began(Load), loaded(Page, from: Int), failed, ended }

        mutating func reduce(_ action: Action) {
            isLoading = false
            switch action {
            case .began(let load):
                // Beyond the last page, there is nothing to load.
                isLoading = load == .refresh || next != nil
                hasFailed = false
            case .loaded(let page, let start):
                if start == 0 { posts = .init() }
                // A post that has moved to a later page in the meantime is not shown twice.
                posts.upsert(contentsOf: page.posts)
                next = page.next
            case .failed: hasFailed = true
            case .ended: break
            }
        }
    }

    enum Load: Relux.Effect, Hashable { case refresh, more }

    struct Loader: Relux.Saga {
        let service: any FeedService

        /// A pull supersedes whatever is loading. The end of the list asks for more only if nothing is loading.
        func policy(for load: Load) -> Relux.Policy { load == .refresh ? .latest : .leading }

        func actionOnStart(_ load: Load) -> (any Relux.Action)? { State.Action.began(load) }
        func actionOnFailure(_ load: Load, _ error: any Error) -> (any Relux.Action)? { State.Action.failed }
        func actionOnCancel(_ load: Load) -> (any Relux.Action)? { State.Action.ended }

        func run(_ load: Load, in context: Relux.SagaContext) async throws {
            let next = try await context.state(of: State.self).next
            guard let start = load == .refresh ? 0 : next else { return }
            await context.finish(with: State.Action.loaded(try await service.page(from: start), from: start))
        }
    }

    struct Module: Relux.Module {
        let service: any FeedService

        var states: [any Relux.State] { [State()] }
        var sagas: [any Relux.Saga] { [Loader(service: service)] }
    }
}

protocol FeedService: Sendable {
    func page(from start: Int) async throws -> Feed.Page
}

struct FeedOffline: Error {}
