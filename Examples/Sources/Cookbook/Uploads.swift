import Relux

/// Uploads files, two at a time, with progress. The caller receives the address of the uploaded file.
enum Uploads {
    struct State: Relux.State, Hashable {
        /// The progress of each upload that is under way, from 0 to 1.
        var progress: [String: Double] = [:]

        enum Action: Relux.Action, Hashable { case progressed(String, Double), ended(String) }

        mutating func reduce(_ action: Action) {
            switch action {
            case .progressed(let file, let progress): self.progress[file] = progress
            case .ended(let file): progress[file] = nil
            }
        }
    }

    struct Upload: Relux.Effect, Hashable {
        typealias Output = String

        let file: String
    }

    struct Uploader: Relux.Flow {
        let service: any UploadService

        func policy(for upload: Upload) -> Relux.Policy { .concurrent(limit: 2) }

        func actionOnCancel(_ upload: Upload) -> (any Relux.Action)? { State.Action.ended(upload.file) }

        func run(_ upload: Upload, in context: Relux.SagaContext) async throws -> String {
            do {
                let address = try await service.upload(upload.file) { progress in
                    context.send(State.Action.progressed(upload.file, progress))
                }
                await context.finish(with: State.Action.ended(upload.file))
                return address
            } catch {
                // No late report brings the progress back. After a cancellation, it has been removed already.
                if !Task.isCancelled { await context.finish(with: State.Action.ended(upload.file)) }
                throw error
            }
        }
    }

    struct Module: Relux.Module {
        let service: any UploadService

        var states: [any Relux.State] { [State()] }
        var reducers: [Relux.Reducer] {
            [.init(of: State.self, on: Upload.self) { state, upload in state.progress[upload.file] = 0 }]
        }
        var flows: [any Relux.Flow] { [Uploader(service: service)] }
    }
}

protocol UploadService: Sendable {
    /// - Parameter progress: Called from anywhere, such as the queue of a network session.
    func upload(_ file: String, progress: @escaping @Sendable (Double) -> Void) async throws -> String
}

struct UploadRefused: Error {}
