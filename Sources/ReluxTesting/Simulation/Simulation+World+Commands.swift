import Relux

extension Simulation.World {
    /// Runs a random sequence of commands against a store and a model, and compares the two after each command.
    ///
    /// The seed fails at the first command after which the state of the store and the model disagree. The failure lists
    /// the commands, the model and the state. Like every failure, it is shrunk: commands that don't matter are left
    /// out.
    ///
    /// ```swift
    /// try await world.commands(against: store, of: Items.State.self, model: [String]()) { model, random in
    ///     Bool.random(using: &random) ? .add("Milk") : .clear
    /// } run: { command, store in
    ///     await store.dispatch(command.action).finished()
    /// } update: { model, command in
    ///     command.apply(to: &model)
    /// } agree: { model, state in
    ///     state.items.map(\.name) == model
    /// }
    /// ```
    ///
    /// In the plain order, there are no commands. An exploration without any in any of its seeds fails.
    ///
    /// - Isolation: The closures are called in the caller's isolation, one after another.
    /// - Parameters:
    ///   - limit: The number of commands. Shrinking leaves out some of them.
    ///   - store: The store that the commands change.
    ///   - state: The state to compare.
    ///   - model: The model before the first command: the simplest description of what the state should be.
    ///   - next: Returns the next command, given the model and random numbers; nil to end the sequence.
    ///   - run: Executes a command in the store, and returns when the state can be compared.
    ///   - update: Applies a command to the model.
    ///   - agree: Whether the state is what the model says.
    /// - Returns: The model after the last command.
    /// - Throws: Any error that `run` throws, or a `StoreError` if no module owns the state.
    @discardableResult
    public nonisolated(nonsending) func commands<Command, Model, S: Relux.State>(
        _ limit: Int = 30,
        against store: Relux.Store,
        of state: S.Type = S.self,
        model: Model,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        next: (Model, inout SeededGenerator) -> Command?,
        run: nonisolated(nonsending) (Command, Relux.Store) async throws -> Void,
        update: (inout Model, Command) -> Void,
        agree: (Model, S) -> Bool
    ) async throws -> Model {
        var model = model
        var done: [String] = []
        let site = Relux.CallSite(fileID: fileID, line: line)
        let check = StatedCheck(
            warning: "The commands at \(site) were never run: `next` returned no command in any seed.")
        journal.add(check)
        for _ in 0..<limit {
            // One draw for each command, so that the others stay the same if shrinking makes one of them plain.
            let draw = schedule.draw()
            guard draw != 0, !journal.hasFailed else { continue }
            var random = SeededGenerator(seed: draw)
            guard let command = next(model, &random) else { break }
            check.noteUse()
            done.append(ValueText.line(command))
            noteEverywhere("command: \(ValueText.line(command))")
            update(&model, command)
            try await run(command, store)
            let actual = try await store.state(of: state)
            guard agree(model, actual) else {
                journal.fail(Self.disagreement(done, model, actual, site), kind: "commands \(site)")
                break
            }
        }
        return model
    }

    private static func disagreement<Model, S>(
        _ commands: [String], _ model: Model, _ state: S, _ site: Relux.CallSite
    ) -> String {
        func indented(_ lines: [String]) -> String { lines.map { "    \($0)" }.joined(separator: "\n") }
        let list = commands.enumerated().map { "\($0 + 1). \($1)" }
        return """
            The model and the store disagree (\(site)) after \(commands.count.counting("command")):

            \(indented(list))

            The model:

            \(indented(Array(ValueText.lines(model).prefix(60))))

            The state:

            \(indented(Array(ValueText.lines(state).prefix(60))))
            """
    }
}
