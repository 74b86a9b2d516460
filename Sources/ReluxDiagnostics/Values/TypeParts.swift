/// The name of an enum's case: memory of the program that is never released.
struct CaseName: Sendable {
    // nonisolated(unsafe): constant memory of the program, only read.
    private nonisolated(unsafe) let characters: UnsafePointer<CChar>

    fileprivate init(_ characters: UnsafePointer<CChar>) {
        self.characters = characters
    }

    // unsafe: the runtime's names end with a zero.
    var text: String { String(cString: characters) }
}

// The runtime's function behind `Mirror` of an enum; nil for values of other kinds, and without reflection metadata.
@_silgen_name("swift_EnumCaseName")
private func enumCaseName<T>(_ value: T) -> UnsafePointer<CChar>?

/// The name of an enum's case, without its payload; nil for other values. Takes nanoseconds, unlike `Mirror`.
func caseName<T>(of value: T) -> CaseName? { enumCaseName(value).map { CaseName($0) } }

/// The names of an enum's cases, or of a struct's stored properties, in order; empty for types of other kinds, and for
/// programs without reflection metadata.
func partNames(of type: Any.Type) -> [String] {
    // unsafe: a metatype is the address of the type's metadata, whose layout is part of the stable ABI: the kind is in
    // the first word and, for the kinds 0x200 to 0x202 (struct, enum, optional), the type's descriptor in the second.
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    guard (0x200...0x202).contains(metadata.load(as: Int.self)) else { return [] }
    let descriptor = metadata.load(fromByteOffset: MemoryLayout<Int>.size, as: UnsafeRawPointer.self)
    // unsafe: the fifth 32-bit word of a descriptor is the distance to the descriptor of the fields, 0 if there is
    // none.
    guard let fields = descriptor.relative(at: 16) else { return [] }
    // unsafe: a header of 16 bytes, with the number of records in its last word, and records of three words each, whose
    // last word is the distance to the name.
    let count = Int(fields.load(fromByteOffset: 12, as: UInt32.self))
    return (0..<count).compactMap { index in
        fields.relative(at: 16 + index * 12 + 8).map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
    }
}

extension UnsafeRawPointer {
    /// Follows a relative pointer; nil if it is null.
    // unsafe: only used for the words of constant metadata named above.
    fileprivate func relative(at offset: Int) -> UnsafeRawPointer? {
        let distance = load(fromByteOffset: offset, as: Int32.self)
        return distance == 0 ? nil : self + offset + Int(distance)
    }
}
