/// The memory of a tutorial, as stored in a file.
struct TutorialRecord: ProfileDocument {
    static let format = "relux-tutorial"
    static let version = 1
    static let kind = "the memory of a tutorial"

    let memory: TutorialMemory

    private enum CodingKeys: String, CodingKey {
        case tutorial
    }

    init(memory: TutorialMemory) {
        self.memory = memory
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let text = try container.decode(String.self, forKey: .tutorial)
        guard let memory = TutorialMemory(rawValue: text) else {
            let what = "“tutorial” is “given” or “wanted”, and not “\(text)”"
            throw DecodingError.dataCorruptedError(forKey: .tutorial, in: container, debugDescription: what)
        }
        self.memory = memory
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(memory.rawValue, forKey: .tutorial)
    }
}
