/// A value with a storage of its own, which counts how often it had to be copied in order to be changed.
///
/// It is copied when somebody else holds it at the moment of the change: the element beside it, or a second array.
struct CopyProbe {
    final class Counter {
        var copies = 0
    }

    private final class Storage {
        var number: Int

        init(_ number: Int) {
            self.number = number
        }
    }

    private var storage: Storage
    private let counter: Counter

    init(_ number: Int, counter: Counter) {
        storage = Storage(number)
        self.counter = counter
    }

    var number: Int { storage.number }

    mutating func increment() {
        if !isKnownUniquelyReferenced(&storage) {
            counter.copies += 1
            storage = Storage(storage.number)
        }
        storage.number += 1
    }
}
