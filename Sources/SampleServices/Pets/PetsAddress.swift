public import Foundation

/// The address of a server that has a catalogue of pets.
public struct PetsAddress: Sendable, Hashable {
    private let base: String
    private let reachable: String

    /// Parses an address. The result is nil if it isn't the address of an HTTP server.
    ///
    /// The address may have a path, which is the parent of the catalogue's path. Components that a request would drop
    /// or expose are rejected: a user, a password, a query, and a fragment.
    public init?(_ text: String) {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme),
            parts.host?.isEmpty == false, parts.user == nil, parts.password == nil, parts.query == nil,
            parts.fragment == nil, (1...65_535).contains(parts.port ?? 80), URL(string: text) != nil,
            !text.unicodeScalars.contains(where: {
                $0.properties.isWhitespace || $0.properties.generalCategory == .control
            })
        else { return nil }
        // On Linux, `URLSession` knows only the scheme in lower case.
        base = scheme + String(text.dropFirst(scheme.count).reversed().drop { $0 == "/" }.reversed())
        reachable = Self.reachable(base, host: parts.host)
    }

    /// The address in a form that the system can use.
    ///
    /// On Linux, `URLSession` rejects every numeric IPv6 address, because it compares one with brackets to one without.
    /// The address of this machine has a name, which is looked for at that address first.
    private static func reachable(_ base: String, host: String?) -> String {
        #if canImport(Darwin)
            return base
        #else
            guard let host, ["::1", "[::1]"].contains(host), let range = base.range(of: "[::1]") else { return base }
            return base.replacingCharacters(in: range, with: "localhost")
        #endif
    }

    /// The URL of the whole catalogue.
    public var catalogue: URL? { URL(string: "\(reachable)/api/pets") }

    /// The URL of one pet. The result is nil if no URL can contain the id.
    public func pet(id: Pet.ID) -> URL? {
        // A URL with one of these as its last component would refer to something else.
        if ["", ".", ".."].contains(id) { return nil }
        return id.addingPercentEncoding(withAllowedCharacters: Self.plain).flatMap {
            URL(string: "\(reachable)/api/pets/\($0)")
        }
    }

    /// The unreserved characters of RFC 3986, section 2.3.
    private static let plain = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )
}

extension PetsAddress: CustomStringConvertible {
    /// The address, without a trailing slash.
    public var description: String { base }
}
