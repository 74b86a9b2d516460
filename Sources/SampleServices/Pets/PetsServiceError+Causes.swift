import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension PetsServiceError {
    /// Translates the system's loading and decoding errors.
    init(_ error: any Error, place: String) {
        switch error {
        case let error as PetsServiceError: self = error
        case let error as DecodingError: self.init(.malformed(error.complaint), place: place)
        case let error as URLError: self.init(Reason(error.code), place: place)
        case is HTTPExchange.TooLong:
            let limit = Int64(HTTPExchange.longestBody).formatted(.byteCount(style: .memory))
            self.init(.malformed("it is longer than \(limit)"), place: place)
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
            // The address was checked before the request. On Linux, this code reports a numeric IPv6 address.
            case .badURL: .offline(.numericAddress)
            case .cannotConnectToHost, .timedOut: .offline(.unreachable)
            // On Linux, a truncated body is reported as `unknown`, and an empty answer as `badServerResponse`.
            case .networkConnectionLost, .unknown, .badServerResponse: .offline(.brokenOff)
            // The address was checked before the request. On Linux, this code reports an answer without a status line.
            case .unsupportedURL, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData:
                .malformed("it is not HTTP")
            case .httpTooManyRedirects, .redirectToNonExistentLocation: .malformed("it redirects too many times")
            case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
                .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot, .clientCertificateRejected,
                .clientCertificateRequired:
                .untrusted
            default: .offline(.other(code: code.rawValue))
            }
    }
}

extension DecodingError {
    /// The complaint, without a full stop.
    fileprivate var complaint: String {
        switch self {
        case .keyNotFound(let key, let context): "“\((context.codingPath + [key]).text)” is missing"
        case .valueNotFound(_, let context):
            "\(context.codingPath.isEmpty ? "it" : "“\(context.codingPath.text)”") is null"
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
    /// The path to a value, such as `[3].birthday`.
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
