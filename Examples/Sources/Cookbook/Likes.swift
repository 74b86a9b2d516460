import Relux

/// A heart that fills at once, and empties again if the server refuses.
enum Likes {
    struct Like: Hashable, Sendable {
        /// What the server has confirmed.
        var confirmed = false
        /// What the user wants, while the server doesn't know it yet.
        var wanted: Bool?

        var shown: Bool { wanted ?? confirmed }
    }

    struct State: Relux.State, Hashable {
        var likes: [String: Like] = [:]

        enum Action: Relux.Action, Hashable { case confirmed(String, Bool), refused(String, Bool), abandoned(String) }

        mutating func reduce(_ action: Action) {
            switch action {
            case .confirmed(let post, let isLiked):
                likes[post]?.confirmed = isLiked
                if likes[post]?.wanted == isLiked { likes[post]?.wanted = nil }
            case .refused(let post, let isLiked):
                // The rollback. The opposite wish, of a later tap, stays: it is about to be sent.
                if likes[post]?.wanted == isLiked { likes[post]?.wanted = nil }
            case .abandoned(let post):
                likes[post]?.wanted = nil
            }
        }
    }

    struct Toggle: Relux.Effect, Hashable { let post: String }

    struct Sender: Relux.Saga {
        let service: any LikesService

        /// One request at a time for each post. Of the taps in the meantime, only the last one counts.
        func policy(for toggle: Toggle) -> Relux.Policy { .conflated(id: toggle.post) }

        func actionOnCancel(_ toggle: Toggle) -> (any Relux.Action)? { State.Action.abandoned(toggle.post) }

        func run(_ toggle: Toggle, in context: Relux.SagaContext) async throws {
            let post = toggle.post
            guard let isLiked = try await context.state(of: State.self).likes[post]?.wanted else { return }
            do {
                try await service.setLiked(isLiked, post: post)
                await context.dispatch(State.Action.confirmed(post, isLiked))
            } catch {
                // The wish of a cancelled request has been abandoned already.
                if !Task.isCancelled { await context.dispatch(State.Action.refused(post, isLiked)) }
                throw error
            }
        }
    }

    struct Module: Relux.Module {
        let service: any LikesService

        var states: [any Relux.State] { [State()] }
        var reducers: [Relux.Reducer] {
            [
                .init(of: State.self, on: Toggle.self) { state, toggle in
                    var like = state.likes[toggle.post] ?? Like()
                    like.wanted = !like.shown
                    state.likes[toggle.post] = like
                }
            ]
        }
        var sagas: [any Relux.Saga] { [Sender(service: service)] }
    }
}

protocol LikesService: Sendable {
    func setLiked(_ isLiked: Bool, post: String) async throws
}
