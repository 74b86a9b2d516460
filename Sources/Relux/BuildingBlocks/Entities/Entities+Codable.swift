extension Relux.Entities: Encodable where Element: Encodable {
    /// Encodes the elements as an array.
    ///
    /// - Throws: Any error thrown while encoding an element.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in self {
            try container.encode(element)
        }
    }
}

extension Relux.Entities: Decodable where Element: Decodable {
    /// Decodes an array of elements with distinct ids.
    ///
    /// - Throws: Any error thrown while decoding an element, or a `DecodingError.dataCorrupted` that names the
    ///   positions of two elements with the same id.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        var elements: [Element] = []
        elements.reserveCapacity(container.count ?? 0)
        while !container.isAtEnd {
            elements.append(try container.decode(Element.self))
        }
        do throws(Relux.DuplicateEntity) {
            try self.init(elements)
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
        }
    }
}
