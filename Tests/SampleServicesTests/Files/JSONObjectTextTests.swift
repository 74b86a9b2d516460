import Testing

@testable import SampleServices

@Suite struct JSONObjectTextTests {
    private func parsed(_ text: String) -> JSONObjectText? { JSONObjectText(ArraySlice(text.utf8)) }

    private func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

    @Test func `it finds values of every kind, and keeps their text`() throws {
        let values = [#""a\"}\\""#, "-1.5e3", "true", "null", "[ ]", #"[1, {"x": [","]}]"#, "{ }", #"{"y":"{"}"#]
        let members = values.enumerated().map { "\"k\($0)\" :\t\($1) " }

        let object = try #require(parsed(" {\(members.joined(separator: " , "))}\r\n"))

        #expect(object.keys == values.indices.map { "k\($0)" })
        #expect(values.indices.map { object["k\($0)"].map(text) } == values)
        #expect(
            text(object.line) == "{" + values.indices.map { "\"k\($0)\":\(values[$0])" }.joined(separator: ",") + "}")
    }

    @Test func `a value is replaced in its place, added at the end, or removed`() throws {
        var object = try #require(parsed(#"{"a":1,"b":2,"\u0061":3,"c":4}"#))

        object["a"] = ArraySlice("9".utf8)
        object["b"] = nil
        object["d"] = ArraySlice("5".utf8)

        #expect(text(object.line) == #"{"a":9,"c":4,"d":5}"#)
    }

    @Test func `an empty object has no members`() throws {
        let object = try #require(parsed("{ }"))

        #expect(object.keys.isEmpty && text(object.line) == "{}")
    }

    @Test(arguments: [
        "", "[]", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":[1}", "{\"a\":\"", "{} {}", "{\"a\":\"\\",
    ])
    func `anything else isn't an object`(text: String) {
        #expect(parsed(text) == nil)
    }
}
