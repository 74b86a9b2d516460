import Relux
import SampleServices

extension Session {
    /// Lets the data change hands, across all features.
    ///
    /// - Ordering: First the one who leaves has everything carried out and saved that was commanded before. Then it is
    ///   written down who is signed in: where that fails nothing else has happened. Then the door is closed, so that no
    ///   new work reaches the services; then a reset cancels what runs, puts the states back in one step, and waits for
    ///   what has passed the door before. Only then does the state say who has come, and only then is the door opened.
    ///   So no data can appear before their owner, nor stay behind.
    /// - Cancellation: It writes nothing more, and a ``Command/restore`` comes after it, which carries out what has
    ///   been written down by then. Where that fails too nobody is let in, and ``State/failure`` says why. After a
    ///   reset from outside it takes a ``Command/restore`` from outside.
    ///
    /// The reset spares whoever performs the command, which is why this is one flow: who would only dispatch the work
    /// to another run, and wait for that afterwards, might be reset before the waiting begins.
    struct Changer: Relux.Flow {
        let service: any SessionService
        let door: ProfileDoor
        let lastSaves: LastSaves
        let loadsData: Bool

        func policy(for command: Command) -> Relux.Policy { .serial }

        func actionOnCancel(_ command: Command) -> (any Relux.Action)? {
            command == .catchUp ? nil : Command.restore
        }

        func run(_ command: Command, in context: Relux.SagaContext) async throws -> Profile? {
            do {
                switch command {
                case .restore: return try await restore(in: context)
                case .signIn(let name):
                    let isSaved = try await lastSaves.make(in: context)
                    return try await handOver(to: try await service.signIn(name), isSaved: isSaved, in: context)
                case .signOut:
                    let isSaved = try await lastSaves.make(in: context)
                    try await service.signOut()
                    return try await handOver(to: nil, isSaved: isSaved, in: context)
                case .catchUp: return try await context.state(of: State.self).profile
                }
            } catch let error as ProfileServiceError {
                if error.reason == .cancelled, Task.isCancelled { throw CancellationError() }
                await context.dispatch(State.Action.failed(error))
                throw error
            }
        }

        /// Carries out what has been written down, by whomever.
        private func restore(in context: Relux.SagaContext) async throws -> Profile? {
            let standing = try await context.state(of: State.self).standing
            let profile = try await service.current()
            if standing == .unknown || standing == State.Standing(profile) {
                return try await handOver(to: profile, in: context)
            }
            // Another process has let somebody in or out: who is here leaves as they would by a command.
            let isSaved = try await lastSaves.make(in: context)
            // That may have taken a while.
            return try await handOver(to: try await service.current(), isSaved: isSaved, in: context)
        }

        private func handOver(
            to profile: Profile?,
            isSaved: Bool = true,
            in context: Relux.SagaContext
        ) async throws -> Profile? {
            let before = try await context.state(of: State.self).standing
            if before == State.Standing(profile) { return profile }
            door.close()
            await context.reset(except: [Settings.Appearance.self])
            // A run that has been cancelled resets and enters nothing.
            let isUnchanged = (try? await context.state(of: State.self).standing) == before
            let entered = await context.dispatch(State.Action.entered(profile, hasLeftUnsaved: !isSaved))
            guard entered.sequence != nil else {
                if isUnchanged, let folder = folder(of: before) { door.open(to: folder) }
                throw CancellationError()
            }
            door.open(to: profile?.folder ?? service.commonFolder)
            if loadsData { await loadData(in: context) }
            return profile
        }

        /// The folder that the door led to; nil where it was closed.
        private func folder(of standing: State.Standing) -> String? {
            switch standing {
            case .unknown: nil
            case .nobody: service.commonFolder
            case .signedIn(let profile): profile.folder
            }
        }
    }
}

// MARK: - The vocabulary of the other features

extension Session.Changer {
    /// Begins to read what is shown first. How that goes is told by the features' states.
    private func loadData(in context: Relux.SagaContext) async {
        let present = await Session.Belongings(presentIn: context)
        await context.dispatch {
            if present.items { Items.Effect.load }
            if present.settings { Settings.Effect.load }
        }
    }
}
