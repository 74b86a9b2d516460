import Synchronization

/// The one name under which this module takes a lock.
typealias Lock<State> = Mutex<State>
