import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

/// Two programs on one list, with random interleavings of their actions and of arriving snapshots.
@Suite struct ItemsStateConvergenceTests {
    @Test(arguments: 0..<200)
    func `whatever happens in between, all programs show the same list in the end, and nothing is lost`(seed: Int) {
        var world = World(seed: UInt64(seed))

        for _ in 0..<80 { world.step() }
        world.settle()

        let stored = Items.List(Array(world.stored.values))
        for program in world.programs {
            #expect(!program.state.hasUnsavedChanges)
            #expect(program.state.list == stored)
        }
        #expect(world.added.subtracting(world.deleted).isSubset(of: Set(world.stored.keys)))
        #expect(world.setbacks == [])
    }
}

private struct World {
    struct Program {
        var state = Items.State()
        /// The save that is under way: its changes, and the answer once the service has one.
        var save: (changes: [ItemChange], answer: ItemsSnapshot?)?
        /// Snapshots that were taken but have not arrived yet. They may overtake each other.
        var arriving: [ItemsSnapshot] = []
    }

    private(set) var programs = [Program(), Program()]
    private(set) var stored: [Item.ID: Item] = [:]
    private(set) var added: Set<Item.ID> = []
    private(set) var deleted: Set<Item.ID> = []
    /// Items that a user saw revert to an older version, or vanish without having been deleted.
    private(set) var setbacks: [String] = []
    private var revision = 0
    private var time = 0
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    private var snapshot: ItemsSnapshot { ItemsSnapshot(items: Array(stored.values), revision: revision) }

    mutating func step() {
        let index = Int.random(in: 0..<2, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1: edit(index)
        case 2: begin(index)
        case 3: answer(index)
        case 4: programs[index].arriving.append(snapshot)
        default: deliver(index)
        }
    }

    /// Lets everything arrive, and saves and reads until nothing is left to do.
    mutating func settle() {
        for _ in 0..<4 {
            for index in programs.indices {
                answer(index)
                while !programs[index].arriving.isEmpty || programs[index].save != nil { deliver(index) }
                begin(index)
            }
        }
        for index in programs.indices {
            answer(index)
            while programs[index].save != nil { deliver(index) }
        }
        for index in programs.indices { programs[index].state.reduce(.loaded(snapshot)) }
    }

    private mutating func edit(_ index: Int) {
        time += 1
        let date = noon.addingTimeInterval(Double(time))
        let items = programs[index].state.list.all
        let id = items.randomElement(using: &random)?.id ?? .sample(time)
        switch Int.random(in: 0..<7, using: &random) {
        case 0, 1:
            added.insert(.sample(time))
            programs[index].state.reduce(
                .added(.sample(time), title: "\(time)", Bool.random(using: &random) ? .top : .end, at: date))
        case 2: programs[index].state.reduce(.renamed(id, title: "\(time)", at: date))
        case 3: programs[index].state.reduce(.moved(id, to: Int.random(in: 0...items.count, using: &random), at: date))
        case 4: programs[index].state.reduce(.completed([id], at: date))
        case 5: programs[index].state.reduce(.reopened([id], at: date))
        default:
            deleted.insert(id)
            programs[index].state.reduce(.deleted([id]))
        }
    }

    private mutating func begin(_ index: Int) {
        let changes = programs[index].state.unsavedChanges
        guard programs[index].save == nil, !changes.isEmpty else { return }
        programs[index].save = (changes, nil)
        programs[index].state.reduce(.saveStarted)
    }

    /// The service carries out the save that is under way.
    private mutating func answer(_ index: Int) {
        guard let save = programs[index].save, save.answer == nil else { return }
        for change in save.changes { stored[change.id] = change.applied(to: stored[change.id]) }
        revision += 1
        programs[index].save = (save.changes, snapshot)
    }

    /// Something that is under way arrives.
    private mutating func deliver(_ index: Int) {
        let before = programs[index].state.list
        arrive(index)
        let after = programs[index].state.list
        for item in before.all {
            if let now = after[item.id] {
                if now.updated < item.updated { setbacks.append("\(item) went back to \(now)") }
            } else if !deleted.contains(item.id) {
                setbacks.append("\(item) vanished")
            }
        }
        if after != Items.List(after.all.reversed()) { setbacks.append("\(after) is out of order") }
    }

    private mutating func arrive(_ index: Int) {
        if let save = programs[index].save, let answer = save.answer,
            programs[index].arriving.isEmpty || Bool.random(using: &random)
        {
            programs[index].state.reduce(.saved(save.changes, answer))
            programs[index].save = nil
        } else if let snapshot = programs[index].arriving.indices.randomElement(using: &random) {
            programs[index].state.reduce(.changedElsewhere(programs[index].arriving.remove(at: snapshot)))
        }
    }
}
