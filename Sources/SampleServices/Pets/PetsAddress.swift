public import Foundation

/// The address of a server with a catalogue of pets.
public struct PetsAddress: Sendable, Hashable {
    private let base: String

    /// Reads an address; nil where it isn't one of a server that speaks HTTP.
    ///
    /// It may have a path, below which the catalogue is. What a request would send nowhere, or show to everybody, is
    /// refused: a user, a password, a query, a fragment.
    ///
    /// - Parameter text: The address, as in `https://pets.example/shelter`.
    public init?(_ text: String) {
        guard let parts = URLComponents(string: text), ["http", "https"].contains(parts.scheme?.lowercased()),
            parts.host?.isEmpty == false, parts.user == nil, parts.password == nil, parts.query == nil,
            parts.fragment == nil, (1...65_535).contains(parts.port ?? 80), URL(string: text) != nil,
            !text.unicodeScalars.contains(where: {
                $0.properties.isWhitespace || $0.properties.generalCategory == .control
            })
        else { return nil }
        base = String(text.reversed().drop { $0 == "/" }.reversed())
    }

    /// Where the whole catalogue is.
    public var catalogue: URL? { URL(string: "\(base)/api/pets") }

    /// Where one pet is; nil where no address can name it.
    ///
    /// - Parameter id: The id of the pet.
    /// - Returns: The address.
    public func pet(id: Pet.ID) -> URL? {
        // An address with one of these would be that of something else.
        if ["", ".", ".."].contains(id) { return nil }
        return id.addingPercentEncoding(withAllowedCharacters: Self.plain).flatMap {
            URL(string: "\(base)/api/pets/\($0)")
        }
    }

    /// RFC 3986, section 2.3.
    private static let plain = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )
}

extension PetsAddress: CustomStringConvertible {
    /// The address, without a slash at its end.
    public var description: String { base }
}
