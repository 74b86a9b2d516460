// A page and a sheet of Docs/UserInterfaces.md that are instances of Docs/Composition.md. They are type-checked against
// the stub, and never run.

import Relux
import SwiftUI

typealias Item = PagesExample.Item
typealias Items = PagesExample.Items
typealias Pages = PagesExample.Pages
typealias Detail = PagesExample.Detail
typealias Editor = PagesExample.Editor

/// The destination of an entry.
struct PageView: SwiftUI.View {
    let entry: Pages.Entry

    @Environment(\.reluxStore) private var store

    var body: some SwiftUI.View {
        if case .detail(let item) = entry.page {
            DetailContainer(item: item)
                .environment(\.reluxScope, store?.scope(of: Detail.Module.self, id: entry.id))
        }
    }
}

struct DetailProps: Relux.UI.ViewProps {
    struct Sheet: Relux.UI.ViewProps, Identifiable { let id: Item.ID }

    var title = ""
    var sheet: Sheet?

    init() {}

    init(_ item: Item.ID, _ reader: borrowing Relux.StateReader) {
        title = reader[Items.State.self]?.items[id: item]?.title ?? ""
        sheet = reader[Detail.State.self]?.edited.map { Sheet(id: $0) }
    }
}

struct DetailContainer: Relux.UI.Container {
    let item: Item.ID

    @Environment(\.reluxDispatcher) var dispatcher
    @Environment(\.reluxScope) private var page
    @Relux.UI.Selected private var props: DetailProps

    init(item: Item.ID) {
        self.item = item
        _props = .init(reading: { reader in DetailProps(item, reader) }, otherwise: DetailProps(), id: item)
    }

    var body: some SwiftUI.View {
        Button(props.title) { dispatcher.dispatchNow(Detail.State.Action.editTapped(item)) }
            .sheet(item: Binding(sheet)) { sheet in
                EditorContainer(title: props.title)
                    .environment(\.reluxScope, page?.scope(of: Editor.Module.self, id: sheet.id))
            }
    }

    /// Dismisses the instance that was shown.
    private var sheet: Relux.UI.ViewBinding<DetailProps.Sheet?> {
        $props.binding(\.sheet, capturing: page) { page, shown, new -> Relux.Dismissal? in
            guard new == nil, let page, let shown else { return nil }
            return Relux.Dismissal(of: page.scope(of: Editor.Module.self, id: shown.id))
        }
    }
}

/// The content of the sheet. Its dispatcher is that of the editor.
struct EditorContainer: Relux.UI.Container {
    let title: String

    @Environment(\.reluxDispatcher) var dispatcher

    var body: some SwiftUI.View {
        TitleField(title: title, rename: .init(to: dispatcher, sending: { title in Editor.Save(title: title) }))
    }
}
