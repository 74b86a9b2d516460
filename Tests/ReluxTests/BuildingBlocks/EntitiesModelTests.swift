import Relux
import ReluxTesting
import Testing

/// Random changes, each made to the collection and to a plain array that is searched linearly.
@Suite("Entities: against a naive model", .timeLimit(.minutes(10)))
struct EntitiesModelTests {
    struct Item: Identifiable, Equatable {
        var id: Int
        var value: Int
    }

    @Test("any sequence of changes gives the same results and order as the model", arguments: 0..<16)
    func agreement(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var entities = Relux.Entities<Item>()
        var model: [Item] = []

        for step in 0..<250 {
            let change = Change.random(using: &random, step: step)
            let result = change.apply(to: &entities)
            let expected = change.apply(to: &model)

            #expect(result == expected, "seed \(seed), step \(step): \(change)")
            #expect(Array(entities) == model, "seed \(seed), step \(step): \(change)")
            for id in 0..<24 {
                let position = model.firstIndex { $0.id == id }
                #expect(entities.position(id: id) == position, "seed \(seed), step \(step): \(change)")
            }
        }

        #expect(!model.isEmpty)
    }
}

extension EntitiesModelTests {
    enum Change {
        case append(Item)
        case insert(Item, at: Int)
        case upsert(Item)
        case remove(id: Int)
        case removeMany(ids: [Int])
        case removeValues(divisor: Int)
        case move(id: Int, to: Int)
        case sort
        case assign(Item?, id: Int)
        case edit(id: Int, value: Int)
        case rename(id: Int, to: Int)
        /// The same through the subscript, which returns nothing.
        case renameInPlace(id: Int, to: Int)

        static func random(using random: inout SeededGenerator, step: Int) -> Change {
            // There are few ids, so that most changes meet an element. Some positions are out of range.
            let id = Int.random(in: 0..<24, using: &random)
            let other = Int.random(in: 0..<24, using: &random)
            let position = Int.random(in: -2..<28, using: &random)
            let item = Item(id: id, value: step)
            return switch Int.random(in: 0..<22, using: &random) {
            case 0...3: .append(item)
            case 4...7: .insert(item, at: position)
            case 8...9: .upsert(item)
            case 10...11: .remove(id: id)
            case 12: .removeMany(ids: [id, other, id])
            case 13: .removeValues(divisor: 7)
            case 14...16: .move(id: id, to: position)
            case 17: .sort
            case 18: .assign(Bool.random(using: &random) ? item : nil, id: other)
            case 19: .edit(id: id, value: step)
            case 20: .rename(id: id, to: other)
            default: .renameInPlace(id: id, to: other)
            }
        }
    }

    /// The result of a change of any kind.
    enum Answer: Equatable {
        case insertion(Relux.Entities<Item>.Insertion)
        case element(Item?)
        case elements([Item])
        case position(Int?)
        case updated(Relux.Entities<Item>.Updated)
        case nothing
    }
}

extension EntitiesModelTests.Change {
    typealias Item = EntitiesModelTests.Item
    typealias Answer = EntitiesModelTests.Answer

    func apply(to entities: inout Relux.Entities<Item>) -> Answer {
        switch self {
        case .append(let item): return .insertion(entities.append(item))
        case .insert(let item, let position): return .insertion(entities.insert(item, at: position))
        case .upsert(let item): return .element(entities.upsert(item))
        case .remove(let id): return .element(entities.remove(id: id))
        case .removeMany(let ids): return .elements(entities.remove(ids: ids))
        case .removeValues(let divisor): return .elements(entities.removeAll { $0.value.isMultiple(of: divisor) })
        case .move(let id, let position): return .position(entities.move(id: id, to: position))
        case .rename(let id, let other): return .updated(entities.update(id: id) { $0.id = other })
        case .sort: entities.sort { $0.value / 8 < $1.value / 8 }
        case .assign(let item, let id): entities[id: id] = item
        case .edit(let id, let value): entities[id: id]?.value = value
        case .renameInPlace(let id, let other): entities[id: id]?.id = other
        }
        return .nothing
    }

    func apply(to model: inout [Item]) -> Answer {
        func position(_ id: Int) -> Int? { model.firstIndex { $0.id == id } }

        switch self {
        case .append(let item): return Self.insert(item, at: .max).apply(to: &model)
        case .insert(let item, let wanted):
            if let holder = position(item.id) { return .insertion(.duplicate(at: holder)) }
            let target = min(max(wanted, 0), model.count)
            model.insert(item, at: target)
            return .insertion(.inserted(at: target))
        case .upsert(let item):
            let replaced = position(item.id).map { model[$0] }
            _ = Self.assign(item, id: item.id).apply(to: &model)
            return .element(replaced)
        case .remove(let id):
            return .element(position(id).map { model.remove(at: $0) })
        case .removeMany(let ids):
            defer { model.removeAll { ids.contains($0.id) } }
            return .elements(model.filter { ids.contains($0.id) })
        case .removeValues(let divisor):
            defer { model.removeAll { $0.value.isMultiple(of: divisor) } }
            return .elements(model.filter { $0.value.isMultiple(of: divisor) })
        case .move(let id, let wanted):
            guard let origin = position(id) else { return .position(nil) }
            let item = model.remove(at: origin)
            let target = min(max(wanted, 0), model.count)
            model.insert(item, at: target)
            return .position(target)
        case .sort:
            model = model.enumerated().sorted { ($0.1.value / 8, $0.0) < ($1.1.value / 8, $1.0) }.map(\.1)
        case .assign(nil, let id):
            model.removeAll { $0.id == id }
        case .assign(let item?, let id):
            let displaced = item.id == id ? nil : position(item.id)
            switch (position(id), displaced) {
            case (let place?, let displaced?):
                model[place] = item
                model.remove(at: displaced)
            case (let place?, nil): model[place] = item
            case (nil, let displaced?): model[displaced] = item
            case (nil, nil): model.append(item)
            }
        case .edit(let id, let value):
            if let place = position(id) { model[place].value = value }
        case .rename(let id, let other):
            guard let place = position(id) else { return .updated(.missing) }
            if id == other { return .updated(.updated) }
            let displaced = position(other)
            model[place].id = other
            guard let displaced else { return .updated(.renamed) }
            return .updated(.replaced(model.remove(at: displaced)))
        case .renameInPlace(let id, let other):
            _ = Self.rename(id: id, to: other).apply(to: &model)
        }
        return .nothing
    }
}
