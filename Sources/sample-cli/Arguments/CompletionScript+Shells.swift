/// The scripts. Those for bash and zsh walk through the words before the cursor to find the command that they lead to.
extension CompletionScript {
    var bash: String {
        """
        # Completions of \(root.name) for bash. To use them: source <(\(root.name) completions bash)
        _sample_cli() {
            local current=${COMP_WORDS[COMP_CWORD]} place= expected= words= word i
            COMPREPLY=()
            for ((i = 1; i < COMP_CWORD; i++)); do
                word=${COMP_WORDS[i]}
        \(walk)
            done
            [[ $current == "=" ]] && current=
            case $expected in
        \(values { $0.takesFolder ? "local IFS=$'\\n'; COMPREPLY=($(compgen -d -- \"$current\"))" : ":" })
            esac
            [[ -n $expected ]] && return
            case $place in
        \(cases { "words=\(Self.quoted(self.words(at: $0).joined(separator: " ")))" })
            esac
            COMPREPLY=($(compgen -W "$words" -- "$current"))
        \(files("{ local IFS=$'\\n'; COMPREPLY+=($(compgen -f -- \"$current\")); }"))
        }
        complete -o filenames -F _sample_cli \(root.name)

        """
    }

    var zsh: String {
        """
        #compdef \(root.name)
        # Completions of \(root.name) for zsh. To use them: source <(\(root.name) completions zsh)
        _sample_cli() {
            local place= expected= word i
            local -a candidates
            for ((i = 2; i < CURRENT; i++)); do
                word=${words[i]}
        \(walk)
            done
            if [[ -z $expected && ${words[CURRENT]} == --*=* ]]; then
                expected=${words[CURRENT]%%=*}
                compset -P '*='
            fi
            case $expected in
        \(values { $0.takesFolder ? "_files -/" : ":" })
            esac
            [[ -n $expected ]] && return
            case $place in
        \(cases { "candidates=(\(self.words(at: $0).map(Self.quoted).joined(separator: " ")))" })
            esac
            compadd -a candidates
        \(files("_files"))
        }
        if [[ $funcstack[1] == _sample[-_]cli ]]; then _sample_cli "$@"; else compdef _sample_cli \(root.name); fi

        """
    }

    var fish: String {
        var lines = [
            "# Completions of \(root.name) for fish. To use them: \(root.name) completions fish | source",
            "function __sample_cli_at",
            "    set -l place ''",
            "    set -l expected ''",
            "    for word in (commandline -opc)[2..-1]",
            "        if test -n \"$expected\"",
            "            set expected ''",
            "        else if contains -- $word \(valued.flatMap(\.words).joined(separator: " "))",
            "            set expected $word",
            "        else if test \"$word\" = --",
            "            return 1",
            "        else if contains -- $place/$word \(keys.joined(separator: " "))",
            "            set place $place/$word",
            "        end",
            "    end",
            "    test \"$place\" = \"$argv[1]\"",
            "end",
            "complete -c \(root.name) -f",
        ]
        for place in places {
            let start = "complete -c \(root.name) -n '__sample_cli_at \"\(place.key)\"'"
            for command in place.command.subcommands {
                lines.append("\(start) -a \(command.name) -d \(Self.quoted(command.summary))")
            }
            let choices = place.command.operands.flatMap(\.choices)
            if !choices.isEmpty { lines.append("\(start) -a \(Self.quoted(choices.joined(separator: " ")))") }
            if place.command.operands.contains(where: \.isFile) { lines.append("\(start) -F") }
            for option in place.options {
                let letter = option.letter.map { " -s \($0)" } ?? ""
                let value =
                    option.value == nil ? "" : option.takesFolder ? " -x -a '(__fish_complete_directories)'" : " -x"
                lines.append("\(start) -l \(option.name)\(letter)\(value) -d \(Self.quoted(option.explanation))")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The places that words lead to.
    private var keys: [String] { places.map(\.key).filter { !$0.isEmpty } }

    /// What can follow the words that lead to a place.
    private func words(at place: Place) -> [String] {
        place.command.subcommands.map(\.name) + place.command.operands.flatMap(\.choices)
            + place.options.map { "--\($0.name)" }
    }

    /// Takes the next word: the value of an option, an option, or a step to a command.
    private var walk: String {
        """
                if [[ $word == "=" ]]; then continue; fi
                if [[ -n $expected ]]; then expected=; continue; fi
                case $word in
                    --) return ;;
                    \(valued.flatMap(\.words).joined(separator: "|"))) expected=$word; continue ;;
                    -*) continue ;;
                esac
                case $place/$word in
                    \(keys.joined(separator: "|"))) place=$place/$word ;;
                esac
        """
    }

    private func values(_ action: (OptionSpec) -> String) -> String {
        valued.map { "        \($0.words.joined(separator: "|"))) \(action($0)) ;;" }.joined(separator: "\n")
    }

    private func cases(_ action: (Place) -> String) -> String {
        places.map { "        \(Self.quoted($0.key))) \(action($0)) ;;" }.joined(separator: "\n")
    }

    private func files(_ action: String) -> String {
        let keys = places.filter { $0.command.operands.contains(where: \.isFile) }.map(\.key)
        return keys.map { "    [[ $place == \($0) ]] && \(action)" }.joined(separator: "\n")
    }
}
