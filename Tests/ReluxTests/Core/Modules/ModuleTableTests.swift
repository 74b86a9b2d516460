import Testing

@testable import Relux

@Suite("ModuleTable and ModulePlan")
struct ModuleTableTests {
    /// Returns a plan for registering the modules in a table.
    private func plan(_ modules: any Relux.Module..., in table: ModuleTable = ModuleTable()) throws -> ModulePlan {
        try ModulePlan(for: modules, in: table) { _ in nil }
    }

    private func names(_ plan: ModulePlan) -> [String] { plan.blueprints.map { "\($0.module)" } }

    private func names(_ registrations: [ModuleTable.Registration]) -> [String] { registrations.map { "\($0.module)" } }

    /// Returns a table with these modules and their dependencies. Each of the modules is registered once by name.
    private func table(_ modules: any Relux.Module...) throws -> ModuleTable {
        var table = ModuleTable()
        for blueprint in try ModulePlan(for: modules, in: table, flowOwner: { _ in nil }).blueprints {
            var connections = ModuleTable.Connections()
            connections.cells = blueprint.states.enumerated().map { cell(of: $1, UInt64($0)) }
            table.insert(blueprint, connections)
        }
        for module in modules { table.addOwner(type(of: module)) }
        return table
    }

    private func cell<S: Relux.State>(of state: S, _ serial: UInt64) -> AnyStateCell {
        StateCell(state, serial: serial)
    }

    @Test("A plan lists each module once, after all of its dependencies")
    func plansInOrder() throws {
        let plan = try plan(
            Part<TagA>.counting(
                needing: Part<TagB>.counting(needing: Part<TagD>.counting()),
                Part<TagC>.counting(needing: Part<TagD>.counting())
            ),
            Part<TagD>.counting()
        )

        #expect(names(plan) == ["Part<TagD>", "Part<TagB>", "Part<TagC>", "Part<TagA>"])
        #expect(plan.shared.map { "\($0)" } == ["Part<TagD>", "Part<TagD>"])
    }

    @Test("A plan omits registered modules and the dependencies that only they need")
    func plansWhatIsMissing() throws {
        let table = try table(Part<TagB>.counting())

        let plan = try plan(
            Part<TagA>.counting(needing: Part<TagB>.counting(needing: Part<TagC>.counting())), in: table
        )

        #expect(names(plan) == ["Part<TagA>"])
        #expect(plan.shared.map { "\($0)" } == ["Part<TagB>"])
    }

    @Test("A plan asks the table whose flow already handles an effect")
    func plansFlows() throws {
        let error = #expect(throws: Relux.StoreError.self) {
            try ModulePlan(for: [Part<TagA>(flows: [AskFlow<TagA>()])], in: ModuleTable()) { _ in Part<TagB>.self }
        }

        guard case .effectAnsweredTwice(_, let first, let second) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect("\(first) \(second)" == "Part<TagB> Part<TagA>")
    }

    @Test("A module is needed while it has an owner, a lease or a dependent")
    func isNeeded() throws {
        var table = try table(Part<TagA>.counting(needing: Part<TagB>.counting()))
        let lease = table.addLease(Part<TagA>.self)

        #expect(table.removeOwner(Part<TagA>.self) == nil)
        #expect(names(table.removeUnneeded(from: Part<TagA>.self)) == [])
        #expect(names(table.removeUnneeded(from: Part<TagB>.self)) == [])
        table.removeLease(lease.lease, of: Part<TagA>.self)
        #expect(names(table.removeUnneeded(from: Part<TagA>.self)) == ["Part<TagA>", "Part<TagB>"])
        #expect(table.registrations.isEmpty)
    }

    @Test(
        "A dependency that two removed modules share is removed after both, whichever lists it first",
        arguments: [true, false])
    func removesInOrder(isFirst: Bool) throws {
        let foot = Part<TagD>.counting()
        let side = Part<TagB>.counting(needing: foot)
        let head = Part<TagA>(dependencies: isFirst ? [foot, side] : [side, foot])
        var table = try table(head)

        _ = table.removeOwner(Part<TagA>.self)

        #expect(names(table.removeUnneeded(from: Part<TagA>.self)) == ["Part<TagA>", "Part<TagB>", "Part<TagD>"])
    }

    @Test("The number of owners can't go below zero, and the table says why")
    func refusesOwners() throws {
        var table = try table(Part<TagA>.counting(needing: Part<TagB>.counting()))
        var leased = try self.table(Part<TagC>.counting())
        _ = leased.addLease(Part<TagC>.self)
        _ = leased.addLease(Part<TagC>.self)
        #expect(leased.removeOwner(Part<TagC>.self) == nil)

        let unknown = table.removeOwner(Part<TagD>.self)
        let needed = table.removeOwner(Part<TagB>.self)
        let held = leased.removeOwner(Part<TagC>.self)

        guard case .moduleNotRegistered = unknown, case .moduleStillNeeded(_, let by) = needed,
            case .moduleHeldByLeases(_, let leases) = held
        else {
            Issue.record("\(String(describing: (unknown, needed, held)))")
            return
        }
        #expect(by.map { "\($0)" } == ["Part<TagA>"])
        #expect(leases == 2)
    }

    @Test("Each registration has a higher generation than all earlier ones, and each lease has its own number")
    func countsGenerations() throws {
        var table = try table(Part<TagA>.counting(), Part<TagB>.counting())
        let first = try #require(table[Part<TagA>.self]).generation

        _ = table.removeOwner(Part<TagA>.self)
        _ = table.removeUnneeded(from: Part<TagA>.self)
        for blueprint in try plan(Part<TagA>.counting(), in: table).blueprints { table.insert(blueprint, .init()) }

        let second = try #require(table[Part<TagA>.self]).generation
        #expect(second > first)
        #expect(names(table.inOrder) == ["Part<TagB>", "Part<TagA>"])
        let leases = [table.addLease(Part<TagA>.self), table.addLease(Part<TagA>.self)]
        #expect(leases[0].lease != leases[1].lease)
        #expect(leases.map(\.generation) == [second, second])
    }

    @Test("A state belongs to its module until that is removed, and no other module may own it until then")
    func ownsStates() throws {
        var table = try table(Part<TagA>.counting(needing: Part<TagB>.counting()), Part<TagC>.counting())
        let rival = Part<TagD>(states: [Counter<TagB>(value: 0)])

        let error = #expect(throws: Relux.StoreError.self) { try plan(rival, in: table) }
        _ = table.removeOwner(Part<TagA>.self)
        _ = table.removeUnneeded(from: Part<TagA>.self)
        let free = try plan(rival, in: table)

        guard case .stateOwnedTwice(_, let first, let second) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect("\(first) \(second)" == "Part<TagB> Part<TagD>")
        #expect(names(free) == ["Part<TagD>"])
        #expect(table.owner(of: Counter<TagC>.self).map { "\($0)" } == "Part<TagC>")
        _ = table.removeAll()
        #expect(table.owner(of: Counter<TagC>.self) == nil)
    }

    @Test("removeAll removes modules in the reverse order of their registration")
    func removesAll() throws {
        var table = try table(Part<TagA>.counting(needing: Part<TagB>.counting()), Part<TagC>.counting())

        #expect(names(table.removeAll()) == ["Part<TagC>", "Part<TagA>", "Part<TagB>"])
        #expect(table.registrations.isEmpty)
    }
}
