import Relux

/// The pages of a navigation stack by layers, without the ids of their entries.
struct Layers<Page: Equatable & Sendable>: Equatable {
    let path: [Page]
    let modals: [Relux.Navigation.Stack<Page>.Modal]
}

extension Relux.Navigation.Stack {
    var layers: Layers<Page> { Layers(path: path, modals: modals) }
}
