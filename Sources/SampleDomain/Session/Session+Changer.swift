import Relux
import SampleServices

extension Session {
    /// Carries out the commands of the session and coordinates the change of profile across all features.
    ///
    /// - Ordering: First, everything commanded for the current profile is carried out and saved. Then the new session
    ///   is stored. If that fails, nothing else has happened. Then the door is closed, so that no new work reaches the
    ///   services. A reset then cancels all runs, resets the states in one step, and waits for the work that had
    ///   already passed the door. Only then does the state name the new profile, and only after that is the door
    ///   opened. Therefore, no data can appear before their owner or remain after them.
    /// - Cancellation: A cancelled run writes nothing more. It is followed by a ``Command/restore``, which carries out
    ///   whatever was stored by then. If that fails too, no profile is entered, and ``State/failure`` says why. After
    ///   an external reset, an external ``Command/restore`` is required.
    ///
    /// The reset spares the run that performs the command, which is why this is a single flow. If a run only dispatched
    /// the work to another run and waited for it afterwards, it could be reset before it starts waiting.
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
            } catch let error as StorageError {
                if error.reason == .cancelled, Task.isCancelled { throw CancellationError() }
                await context.dispatch(State.Action.failed(error))
                throw error
            }
        }

        /// Carries out the stored session, whichever process stored it.
        private func restore(in context: Relux.SagaContext) async throws -> Profile? {
            let standing = try await context.state(of: State.self).standing
            let profile = try await service.current()
            if standing == .unknown || standing == State.Standing(profile) {
                return try await handOver(to: profile, in: context)
            }
            // Another process has signed a profile in or out. The current profile leaves exactly as it would by a
            // command.
            let isSaved = try await lastSaves.make(in: context)
            // The session is read again, because saving may have taken a while.
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
            // The reset and the action of a cancelled run have no effect.
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

        /// The folder to which the door was open, or nil if it was closed.
        private func folder(of standing: State.Standing) -> String? {
            switch standing {
            case .unknown: nil
            case .nobody: service.commonFolder
            case .signedIn(let profile): profile.folder
            }
        }

        /// Starts reading the list and the settings. The states of the features report the result.
        private func loadData(in context: Relux.SagaContext) async {
            let (hasItems, hasSettings) = await context.read { states in
                (states[Items.State.self] != nil, states[Settings.State.self] != nil)
            }
            await context.dispatch {
                if hasItems { Items.Effect.load }
                if hasSettings { Settings.Effect.load }
            }
        }
    }
}
