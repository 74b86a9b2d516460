extension Texts {
    static let commandsTitle = "Commands:"
    static let argumentsTitle = "Arguments:"
    static let optionsTitle = "Options:"

    static let programSummary = """
        A to-do list, a catalogue of pets and who is there, for the terminal, with settings and profiles, built on Relux.
        """
    static let itemsSummary = "Shows and changes the to-do list."
    static let listSummary = "Shows the list: what is to do in its order, below it what is done, the latest first."
    static let addSummary = "Adds an item at the end of the list."
    static let doneSummary = "Completes items: all of them or, where one can't be, none."
    static let reopenSummary = "Makes completed items active again: all of them or, where one can't be, none."
    static let moveSummary = "Moves an active item to another position."
    static let renameSummary = "Gives an active item another title."
    static let deleteSummary = "Deletes items: all of them or, where one can't be found, none."
    static let undoSummary = "Takes back the last change of the list, as one of these commands has made it."
    static let redoSummary = "Makes the change again that was undone last."

    static let versionOption = "Print the name and the version of the program, and do nothing else."
    static let helpOption = "Explain the command and its options, and do nothing else."
    static let verboseOption = "Log every action on standard error."
    static let dataOption =
        "The folder of the data; it is made when needed. Without it: SAMPLE_DATA, or relux-sample in the user's folder."
    static let jsonOption = "Print JSON for scripts, in a shape that stays."
    static let topOption = "Add the item at the top of the list."

    static let idOperand = "The position of an active item, or the first four or more characters of an id."
    static let idsOperand = "Positions of active items, or the first four or more characters of ids."
    static let titleOperand = "The title. Several words make one title."
    static let newTitleOperand = "The new title. Several words make one title."
    static let positionOperand = "The new position among the active items, from 1."

    static let completionsSummary = "Prints a script with which a shell completes the commands and options."
    static let shellOperand = "bash, zsh or fish."
    static let completionsNote = """
        bash, in ~/.bashrc:                   source <(sample-cli completions bash)
        zsh, in ~/.zshrc, after compinit:     source <(sample-cli completions zsh)
        fish, in ~/.config/fish/config.fish:  sample-cli completions fish | source
        """

    static let addNote = "A title that begins with a hyphen comes after --:  items add -- --help is broken"
    static let undoNote = """
        The last 100 changes are remembered beside the list, and every program that uses the folder adds to them. What
        was changed since by other means, as in a text editor, stays.
        """
    static let redoNote = "After another change there is nothing to redo. What was changed since by other means stays."
    static let exitNote = "Exit status: 0 success, 1 a refusal or a failure, 64 wrong usage, 130 interrupted."
    static let errorJSONNote = """
        With --json, an error is an object on standard error:
          code     a word that stays, such as "unknown-item", "damaged-file", "disk-full", "offline" or "usage"
          message  what people are told
        """
    static let streamsNote = "A standard stream that is closed, as by >&-, counts as /dev/null."
    static let jsonNote = """
        With --json, a command prints one object on success:
          outcome    "listed", "added", "changed", "deleted", "undone" or "redone"
          items      the items concerned, in their order, each an object with
            id         the whole id, in lower case
            shortID    so much of it as is unique
            title      text
            position   from 1 among the active items; null for completed ones and those that are gone
            order      the number that the position follows from
            created    ISO 8601 in UTC, as are the other dates
            updated    the date of the last change
            completed  the date of completion, or null
        """

    static func usage(of path: [CommandSpec]) -> String {
        let words = path.map(\.name) + (path.last?.operands.map(\.usage) ?? [])
        let command = path.last?.subcommands.isEmpty == false ? " COMMAND" : ""
        return "Usage: \(words.joined(separator: " "))\(command) [OPTION]…"
    }
}
