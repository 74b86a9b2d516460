public import SampleServices

extension Pet.Colour {
    /// The colour in the form `#C68642`.
    public var hex: String {
        "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }
}
