import Relux

/// Downloads files with progress. A lost connection is tried again, and each download can be stopped.
enum Downloads {
    struct Download: Identifiable, Hashable, Sendable {
        enum Phase: Hashable, Sendable { case loading, pausing(Duration), finished, stopped, failed }

        let id: String
        var phase = Phase.loading
        /// The bytes that have arrived.
        var count = 0
    }

    struct State: Relux.State, Hashable {
        var downloads = Relux.Entities<Download>()

        enum Action: Relux.Action, Hashable {
            case began(String)
            case progressed(String, count: Int)
            case paused(String, Duration)
            case ended(String, Download.Phase)
        }

        mutating func reduce(_ action: Action) {
            switch action {
            case .began(let id):
                // What has arrived is kept.
                downloads[id: id] = Download(id: id, count: downloads[id: id]?.count ?? 0)
            case .progressed(let id, let count):
                downloads[id: id]?.phase = .loading
                downloads[id: id]?.count = count
            case .paused(let id, let pause):
                downloads[id: id]?.phase = .pausing(pause)
            case .ended(let id, let phase):
                downloads[id: id]?.phase = phase
            }
        }
    }

    /// Starts a download, or continues one that was stopped or has failed.
    struct Start: Relux.Effect, Hashable { let id: String }

    /// Stops a download. What has arrived is kept. To start it again, wait: `dispatch(Stop(…)).finished()`.
    struct Stop: Relux.Effect, Hashable { let id: String }

    struct Loader: Relux.Saga {
        let service: any DownloadService

        /// A second tap does nothing while the download is active. Other downloads aren't affected.
        func policy(for start: Start) -> Relux.Policy { .leading(id: start.id) }

        func actionOnStart(_ start: Start) -> (any Relux.Action)? { State.Action.began(start.id) }

        func actionOnCancel(_ start: Start) -> (any Relux.Action)? { State.Action.ended(start.id, .stopped) }

        func actionOnFailure(_ start: Start, _ error: any Error) -> (any Relux.Action)? {
            State.Action.ended(start.id, .failed)
        }

        func run(_ start: Start, in context: Relux.SagaContext) async throws {
            let id = start.id
            try await context.retry(.exponential(base: .seconds(1), attempts: 3)) { setback in
                await context.dispatch(State.Action.paused(id, setback.pause))
            } _: {
                // A new attempt continues where the last one was interrupted.
                var count = try await context.state(of: State.self).downloads[id: id]?.count ?? 0
                for try await piece in try await service.pieces(of: id, from: count) {
                    count += piece
                    await context.dispatch(State.Action.progressed(id, count: count))
                }
                // A cancelled task ends the stream early.
                try Task.checkCancellation()
            }
            await context.finish(with: State.Action.ended(id, .finished))
        }
    }

    struct Module: Relux.Module {
        let service: any DownloadService

        var states: [any Relux.State] { [State()] }
        var sagas: [any Relux.Saga] {
            [
                Loader(service: service),
                Relux.Reaction(to: Stop.self) { stop, context in
                    await context.cancel(Loader.self, id: stop.id)
                },
            ]
        }
    }
}

protocol DownloadService: Sendable {
    /// The sizes of the pieces of a file, as they arrive.
    func pieces(of id: String, from start: Int) async throws -> AsyncThrowingStream<Int, any Error>
}

struct ConnectionLost: Error {}
