public import Relux

extension Relux {
    /// The part of a list that has been fetched, page by page. No element is in it twice.
    ///
    /// A query's `fetchPage` returns one page, and its state keeps as many as have been fetched, in the same type.
    public struct Pages<Element: Identifiable & Equatable & Sendable, Cursor: Hashable & Sendable>: Sendable, Equatable
    where Element.ID: Sendable {
        /// All elements, in the order of the list.
        public var elements: Entities<Element>
        var pages: [Page]

        struct Page: Sendable, Equatable {
            /// The cursor with which the page was asked for.
            var cursor: Cursor?
            /// The elements of the page, also those that other pages have as well.
            var ids: [Element.ID]
            var previous: Cursor?
            var next: Cursor?
        }

        /// Creates one page.
        ///
        /// - Parameters:
        ///   - elements: The elements of the page. Of those with equal ids, the first is kept.
        ///   - next: The cursor of the page after it; nil at the end of the list.
        ///   - previous: The cursor of the page before it; nil at the beginning, and for lists that grow at one end
        ///     only.
        public init(_ elements: [Element] = [], next: Cursor? = nil, previous: Cursor? = nil) {
            self.elements = .init(elements, keeping: .first)
            pages = [Page(cursor: nil, ids: self.elements.ids, previous: previous, next: next)]
        }

        /// The cursor of the page after the last one; nil at the end of the list.
        public var next: Cursor? { pages.last?.next }

        /// The cursor of the page before the first one; nil at the beginning of the list.
        public var previous: Cursor? { pages.first?.previous }

        /// Whether the list continues after the last page.
        public var hasMore: Bool { next != nil }

        /// Whether the list continues before the first page.
        public var hasPrevious: Bool { previous != nil }

        /// The number of pages.
        public var pageCount: Int { pages.count }
    }

    /// An end of a list that comes in pages.
    public enum PageEdge: Sendable, Hashable {
        /// The end, where the list continues with ``Pages/next``.
        case next
        /// The beginning, where the list continues with ``Pages/previous``.
        case previous
    }

    /// The extent of a refresh of a list.
    public enum PagesRefresh: Sendable, Hashable {
        /// The first page only, which replaces the list.
        case first
        /// As many pages as there are, one after the other, which replace the list together.
        case all
    }
}

extension Relux.Pages.Page: Codable where Element.ID: Codable, Cursor: Codable {}
extension Relux.Pages: Codable where Element: Codable, Element.ID: Codable, Cursor: Codable {}

extension Relux.Pages {
    func cursor(at edge: Relux.PageEdge) -> Cursor? {
        switch edge {
        case .next: next
        case .previous: previous
        }
    }

    /// Whether the outermost page at an end has an element that no other page has.
    func hasNews(at edge: Relux.PageEdge) -> Bool {
        let (page, others) = edge == .next ? (pages.last, pages.dropLast()) : (pages.first, pages.dropFirst())
        return page?.ids.contains { id in !others.contains { $0.ids.contains(id) } } == true
    }

    /// Adds a page at an end. An element that is there already keeps its place, and gets the newer value.
    ///
    /// - Parameter limit: The number of pages that are kept. Those at the other end are dropped, and what a kept page
    ///   has as well gets its place there.
    mutating func add(_ page: Relux.Pages<Element, Cursor>, at edge: Relux.PageEdge, limit: Int = .max) {
        let cursor = cursor(at: edge)
        // A cursor that leads back would never end.
        let cursors = [cursor] + pages.map(\.cursor)
        let next = page.next == cursor || edge == .next && cursors.contains(page.next) ? nil : page.next
        let previous =
            page.previous == cursor || edge == .previous && cursors.contains(page.previous) ? nil : page.previous
        switch edge {
        case .next:
            elements.upsert(contentsOf: page.elements)
            pages.append(Page(cursor: cursor, ids: page.elements.ids, previous: previous, next: next))
        case .previous:
            var position = 0
            for element in page.elements {
                if elements.contains(id: element.id) {
                    elements.upsert(element)
                } else {
                    elements.insert(element, at: position)
                    position += 1
                }
            }
            pages.insert(Page(cursor: cursor, ids: page.elements.ids, previous: previous, next: next), at: 0)
        }
        let excess = pages.count - max(limit, 1)
        guard excess > 0 else { return }
        if edge == .next { pages.removeFirst(excess) } else { pages.removeLast(excess) }
        elements = .init(pages.flatMap(\.ids).compactMap { elements[id: $0] }, keeping: .first)
    }
}
