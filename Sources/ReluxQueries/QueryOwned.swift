import Relux

/// A state whose changes only a query makes. Tests state what is asked for and answered, and not how it is stored.
package protocol QueryOwned {}

extension Relux.QueryState: QueryOwned {}
extension Relux.QueryActivity: QueryOwned {}
