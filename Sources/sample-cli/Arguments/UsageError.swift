import SampleServices

/// Why the arguments are invalid. ``Texts`` contains the messages.
enum UsageError: Error, Equatable {
    case missingCommand
    case unknownCommand(String, nearest: String?)
    case unknownOption(String, nearest: String?)
    case foreignOption(OptionSpec)
    case missingValue(OptionSpec)
    case unwantedValue(OptionSpec)
    case missingOperand(OperandSpec)
    case unwantedOperand(String)
    case blankOperand(OperandSpec)
    case noNumber(String, OperandSpec)
    case noAddress(String, OptionSpec)
    case noSetting(String, nearest: String?)
    case noChoice(String, OperandSpec, choices: [String])
    case unasked(OptionSpec)
    case noName(ProfileNameError)
}
