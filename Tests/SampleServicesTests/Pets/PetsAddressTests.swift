import SampleServices
import Testing

@Suite struct PetsAddressTests {
    @Test(arguments: [
        ("http://localhost:8080", "http://localhost:8080/api/pets"),
        ("HTTPS://pets.example/", "https://pets.example/api/pets"),
        ("https://pets.example/a%20b/shelter//", "https://pets.example/a%20b/shelter/api/pets"),
        ("http://[2001:db8::1]:8080", "http://[2001:db8::1]:8080/api/pets"),
    ])
    func `the catalogue is below the address of a server`(text: String, expected: String) throws {
        let address = try #require(PetsAddress(text))

        #expect(address.catalogue?.absoluteString == expected)
    }

    /// On Linux, the system can't use the number.
    @Test func `this machine has a name`() throws {
        let address = try #require(PetsAddress("http://[::1]:8080/a"))

        let isNamed = address.catalogue?.absoluteString == "http://localhost:8080/a/api/pets"
        let isNumeric = address.catalogue?.absoluteString == "http://[::1]:8080/a/api/pets"
        #if canImport(Darwin)
            #expect(isNumeric)
        #else
            #expect(isNamed && !isNumeric)
        #endif
        #expect(address.description == "http://[::1]:8080/a")
    }

    @Test(arguments: [
        "", "localhost:8080", "localhost", "/api", "ftp://pets.example", "file:///pets", "http://", "http:///pets",
        "http://ann:secret@pets.example", "http://ann@pets.example", "http://pets.example?a=b", "http://pets.example#a",
        "http://pets example", "http://pets.example:port", "http://pets.example:65536", "http://pets.example:0",
        "http://pets.example/\n",
    ])
    func `an invalid server address isn't read`(text: String) {
        #expect(PetsAddress(text) == nil)
    }

    @Test(arguments: [
        ("biscuit", "biscuit"), ("a/b", "a%2Fb"), ("..a", "..a"), ("%2e", "%252e"), ("ä ?#", "%C3%A4%20%3F%23"),
        ("../../x", "..%2F..%2Fx"), ("\u{1B}[2J", "%1B%5B2J"),
    ])
    func `an id is one component of the path, whatever it is`(id: String, part: String) throws {
        let address = try #require(PetsAddress("http://h/base/"))

        #expect(address.pet(id: id)?.absoluteString == "http://h/base/api/pets/\(part)")
    }

    @Test(arguments: ["", ".", ".."])
    func `an id that would lead elsewhere has no address`(id: String) throws {
        #expect(try #require(PetsAddress("http://h")).pet(id: id) == nil)
    }
}
