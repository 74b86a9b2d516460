import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests by HTTP.
package struct HTTPTransport: Transport {
    let address: URL

    package init(_ address: URL) { self.address = address }

    package func send(
        _ method: String, _ path: String, _ body: Data, token: String?
    ) async throws -> (status: Int, body: Data) {
        guard let url = URL(string: path, relativeTo: address) else { throw URLError(.badURL) }
        var request = URLRequest(url: url, timeoutInterval: 10)
        request.httpMethod = method
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        if let token { request.setValue("Token \(token)", forHTTPHeaderField: "Authorization") }
        if !body.isEmpty { request.httpBody = body }
        let (data, response) = try await URLSession.shared.data(for: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, data)
    }
}
