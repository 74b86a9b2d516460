import Relux

/// The collections of which the reader of a key reads one element each.
///
/// A query's are made once, because in generic code the making of a key path takes longer than everything else in a
/// read.
final class QueryPaths<Q: Relux.Query>: Sendable {
    typealias Path<S, Element: Identifiable> = KeyPath<S, Relux.Entities<Element>> & Sendable

    let kept: Path<Relux.QueryState<Q>, Relux.QueryState<Q>.Kept> = \.kept
    let records: Path<Relux.QueryState<Q>, Relux.QueryState<Q>.Record> = \.records
    let statuses: Path<Relux.QueryActivity<Q>, Relux.QueryActivity<Q>.Status> = \.statuses

    /// Those of a query.
    static func paths(of query: Q.Type = Q.self) -> QueryPaths {
        known.withLock { known in
            if let paths = known[ObjectIdentifier(query)] as? QueryPaths { return paths }
            let paths = QueryPaths()
            known[ObjectIdentifier(query)] = paths
            return paths
        }
    }
}

/// The paths of the queries that have been read, by their types.
private let known = Lock<[ObjectIdentifier: any AnyObject & Sendable]>([:])
