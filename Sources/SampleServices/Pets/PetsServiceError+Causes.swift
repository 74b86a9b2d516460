import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension PetsServiceError {
    /// What the system's loading and decoding have to say, in the service's own terms.
    ///
    /// - Parameters:
    ///   - error: What they threw.
    ///   - place: The address that was asked.
    init(_ error: any Error, place: String) {
        switch error {
        case let error as PetsServiceError: self = error
        case let error as DecodingError: self.init(.malformed(error.complaint), place: place)
        case let error as URLError: self.init(Reason(error.code), place: place)
        case is CancellationError: self.init(.cancelled, place: place)
        default: self.init(.offline(.other(code: (error as NSError).code)), place: place)
        }
    }
}

extension PetsServiceError.Reason {
    fileprivate init(_ code: URLError.Code) {
        self =
            switch code {
            case .cancelled: .cancelled
            case .notConnectedToInternet, .internationalRoamingOff, .dataNotAllowed: .offline(.noNetwork)
            case .cannotFindHost, .dnsLookupFailed: .offline(.unknownHost)
            case .cannotConnectToHost, .timedOut: .offline(.unreachable)
            // On Linux a body that is too short is unknown, and an answer without a word a bad one.
            case .networkConnectionLost, .unknown, .badServerResponse: .offline(.brokenOff)
            // The address has been checked before: on Linux this is an answer without a status line.
            case .unsupportedURL, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData:
                .malformed("it is no HTTP")
            case .httpTooManyRedirects, .redirectToNonExistentLocation: .malformed("it leads from address to address")
            case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
                .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot, .clientCertificateRejected,
                .clientCertificateRequired:
                .untrusted
            default: .offline(.other(code: code.rawValue))
            }
    }
}

extension DecodingError {
    /// What is wrong, without a full stop.
    fileprivate var complaint: String {
        switch self {
        case .keyNotFound(let key, let context): "“\((context.codingPath + [key]).text)” is missing"
        case .valueNotFound(_, let context): "“\(context.codingPath.text)” is null"
        case .typeMismatch(let type, let context):
            "\(context.codingPath.isEmpty ? "it" : "“\(context.codingPath.text)”") is no \(Self.name(of: type))"
        case .dataCorrupted(let context):
            context.codingPath.isEmpty ? "it is no JSON" : "“\(context.codingPath.text)” \(context.debugDescription)"
        @unknown default: "it is not as it should be"
        }
    }

    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "text"
        case is [Any].Type, is [Pet.Summary].Type: "list"
        default: "object"
        }
    }
}

extension [any CodingKey] {
    /// The way to a value: `[3].birthday`.
    fileprivate var text: String {
        reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + key.stringValue
            }
        }
    }
}
