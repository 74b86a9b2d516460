/// A value with copy-on-write storage that counts how often a change had to copy it.
///
/// A change copies if the storage has another owner at that moment, such as a second copy of the element or of the
/// array.
struct CopyProbe {
    private final class Storage {
        var number: Int

        init(_ number: Int) {
            self.number = number
        }
    }

    private var storage: Storage
    private let counter: RelaxedCounter

    init(_ number: Int, counter: RelaxedCounter) {
        storage = Storage(number)
        self.counter = counter
    }

    var number: Int { storage.number }

    mutating func increment() {
        if !isKnownUniquelyReferenced(&storage) {
            counter.increment()
            storage = Storage(storage.number)
        }
        storage.number += 1
    }
}
