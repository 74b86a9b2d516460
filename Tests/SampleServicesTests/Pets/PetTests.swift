import Foundation
import SampleServices
import Testing

@Suite struct PetTests {
    @Test(arguments: ["2021-03-09", "2024-02-29", "2000-02-29", "9999-12-31"])
    func `a day is read and written the same way`(text: String) {
        #expect(Pet.Day(text)?.description == text)
    }

    @Test(arguments: [
        "", "2021-3-09", "2021-03-9", "21-03-09", "2023-02-29", "1900-02-29", "2021-04-31", "2021-13-01", "2021-00-01",
        "2021-01-00", "0000-01-01", "2021-03-09T00:00", "2021/03/09", "+021-03-09", "２０２１-03-09", "-----",
    ])
    func `an invalid day isn't read`(text: String) {
        #expect(Pet.Day(text) == nil)
    }

    @Test func `a colour is read in either case`() {
        #expect(Pet.Colour("#c68602")?.hex == "#C68602")
        #expect(Pet.Colour("#c68602") == Pet.Colour("#C68602"))
    }

    @Test(arguments: ["", "#", "c68602", "#c6860", "#c686021", "#c6860g", "# c6860", "##c6860", "#é8602"])
    func `an invalid colour isn't read`(text: String) {
        #expect(Pet.Colour(text) == nil)
    }

    @Test func `a pet is read with everything that is known of it`() throws {
        let json = """
            {"id": "biscuit", "name": "Biscuit", "species": "dog", "birthday": "2021-03-09", "colour": "#c68642",
            "arrived": "2023-11-14T22:13:21Z", "phone": "+61285550143", "about": "Good.", "shoeSize": 4}
            """

        let pet = try JSONDecoder().decode(Pet.self, from: Data(json.utf8))

        #expect(pet == .sample("biscuit"))
    }

    @Test(arguments: [#"{"id":"a","name":""}"#, #"{"id":"a","name":"","species":null,"arrived":null,"colour":null}"#])
    func `everything except the id and the name may be missing`(json: String) throws {
        let pet = try JSONDecoder().decode(Pet.self, from: Data(json.utf8))

        #expect(pet == Pet(summary: Pet.Summary(id: "a", name: "")))
    }

    @Test func `a date may have fractions of a second`() throws {
        let json = #"{"id":"a","name":"A","arrived":"2023-11-14T22:13:21.500Z"}"#

        let pet = try JSONDecoder().decode(Pet.self, from: Data(json.utf8))

        #expect(pet.arrived == Date.sample(1).addingTimeInterval(0.5))
    }
}
