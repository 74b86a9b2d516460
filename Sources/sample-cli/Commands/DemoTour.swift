import Foundation
import Relux
import SampleDomain
import SampleServices

/// The steps of the tour.
struct DemoTour: Sendable {
    let console: Console
    let renderer: DemoRenderer
    let observer: DemoObserver
    let store: Relux.Store
    let service: FileItemsService
    let source: Items.Source

    init(console: Console, folder: URL, isVerbose: Bool) async throws {
        self.console = console
        let renderer = DemoRenderer(style: console.style)
        let observer = DemoObserver(console: console, renderer: renderer)
        let path = folder.path(percentEncoded: false)
        let source = Self.source
        let observers: [any Relux.StoreObserver] = isVerbose ? [Relux.ConsoleLogger(), observer] : [observer]
        store = try await Relux.Store(Relux.StoreConfiguration(observers: observers)) {
            Items.Module(
                service: FileItemsService(folder: path, isMakingFolder: false), source: source, watchesElsewhere: false)
        }
        service = FileItemsService(folder: path, isMakingFolder: false)
        (self.renderer, self.observer, self.source) = (renderer, observer, source)
    }

    /// A source of dates and ids that are the same in every tour.
    private static var source: Items.Source {
        let counter = Lock(0)
        @Sendable func next() -> Int {
            counter.withLock { counter in
                counter += 1
                return counter
            }
        }
        return Items.Source(
            now: { Date(timeIntervalSince1970: 1_767_258_000 + 60 * Double(next())) },
            makeID: {
                let number = UInt8(truncatingIfNeeded: next())
                return UUID(uuid: (number &* 59, number &* 101, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, number))
            }
        )
    }

    func take() async throws -> ExitStatus {
        console.output(Texts.demoIntroduction + "\n")
        try await edit()
        try await share()
        let isSame = try await store.state(of: Items.State.self) == observer.state
        if !isSame {
            console.complain([Texts.demoDiffers], as: "unexpected")
            return .failure
        }
        console.output(renderer.heading(Texts.demoEnd(observer.count)))
        return .success
    }

    private func edit() async throws {
        show(Texts.demoAdds)
        try await perform(.add(title: Texts.demoBuyMilk, .end))
        try await perform(.add(title: Texts.demoCallHome, .end))
        try await perform(.add(title: Texts.demoPayRent, .end))
        try await perform(.add(title: Texts.demoWaterPlants, .top))
        show(Texts.demoMoves)
        try await perform(.move(try await item(Texts.demoPayRent), position: 2))
        show(Texts.demoCompletes)
        let plants = try await item(Texts.demoWaterPlants)
        try await perform(.complete([plants]))
        try await perform(.rename(plants, title: Texts.demoWaterFlowers))
        try await perform(.reopen([plants]))
        try await perform(.rename(plants, title: Texts.demoWaterFlowers))
        show(Texts.demoDrafts)
        try await perform(.startDraft(.end))
        await store.dispatch(Items.State.Action.draftEdited("   "))
        try await perform(.commitDraft)
        show(Texts.demoDeletes)
        try await perform(.rename(try await item(Texts.demoBuyMilk), title: ""))
        show(Texts.demoUndoes)
        try await perform(.undo)
        try await perform(.redo)
        try await perform(.redo)
    }

    private func share() async throws {
        show(Texts.demoElsewhere)
        let date = source.now()
        let parcel = Item(
            id: source.makeID(), title: Texts.demoElsewhereTitle, order: 9_000, created: date, updated: date
        )
        _ = try await service.save([.insert(parcel)])
        try await perform(.complete([try await item(Texts.demoCallHome)]))
        show(Texts.demoDamages)
        let file = URL(filePath: service.file)
        let good = try Data(contentsOf: file)
        try Data(Texts.demoDamage.utf8).write(to: file)
        try await perform(.add(title: Texts.demoCook, .end))
        show(Texts.demoMends)
        try good.write(to: file)
        try await store.perform(Items.Effect.save)
    }

    private func show(_ heading: String) {
        console.output(renderer.heading(heading))
    }

    /// Performs a command and waits until all work that it triggered has ended, so that the next heading appears after
    /// it.
    private func perform(_ command: Items.Command) async throws {
        do throws(Relux.EffectError) {
            try await store.perform(command)
        } catch {
            guard case .failed(let refusal as ItemsError) = error else { throw error }
            console.output(renderer.refusal(refusal, in: observer.state.list))
        }
        try await store.idle()
    }

    private func item(_ title: String) async throws -> Items.Reference {
        let list = try await store.state(of: Items.State.self).list
        guard let item = list.all.first(where: { $0.title == title }) else { throw ItemsError.unknown(title) }
        return .id(item.id)
    }
}
