#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Glibc)
    import Glibc
#endif

/// The copies of this library in the process.
///
/// A dynamic library that was linked with the static library contains a copy of its own. The copies have the same
/// source and the same types by name, but nothing of one is found by the other: casts fail, or misread memory.
enum LibraryCopies {
    /// The files that contain a copy, this one first; empty if it is the only one.
    ///
    /// Copies in files that export no symbols are not found, nor those in libraries that are loaded later.
    static let files: [String] = {
        // A class of this library has one piece of metadata in each copy, with the same name.
        let type = Relux.Store.self
        guard let name = _mangledTypeName(type) else { return [] }
        let own = UInt(bitPattern: ObjectIdentifier(type))
        var found: [(file: String, place: UInt)] = []
        for file in loadedFiles {
            guard let place = address(of: "$s\(name)N", in: file), !found.contains(where: { $0.place == place })
            else { continue }
            found.append((file ?? "the program", place))
        }
        let others = found.filter { $0.place != own }.map(\.file)
        let mine = found.first { $0.place == own }?.file ?? "the program"
        return others.isEmpty ? [] : [mine] + others
    }()

    /// The paths of the libraries in this process; nil for the program itself, which can't be opened by its path.
    private static var loadedFiles: [String?] {
        #if canImport(Darwin)
            // Unsafe pointers: names of images that stay loaded, copied at once.
            return (0..<_dyld_image_count()).map { index in
                index == 0 ? nil : _dyld_get_image_name(index).map { String(cString: $0) }
            }
        #elseif canImport(Glibc) || canImport(Musl) || canImport(Android)
            guard let maps = fopen("/proc/self/maps", "r") else { return [nil] }
            defer { fclose(maps) }
            var files: [String?] = [nil]
            // Unsafe pointer: a buffer that `getline` allocates and enlarges, copied after each call.
            var line: UnsafeMutablePointer<CChar>?
            defer { free(line) }
            var size = 0
            while getline(&line, &size, maps) > 0, let text = line.map({ String(cString: $0) }) {
                // An address range, permissions, an offset, a device, an inode, and a path.
                guard text.split(separator: " ", maxSplits: 2).dropFirst().first?.contains("x") == true,
                    let start = text.firstIndex(of: "/")
                else { continue }
                files.append(text[start...].split(separator: "\n").first.map(String.init))
            }
            return files
        #else
            return []
        #endif
    }

    private static func address(of symbol: String, in file: String?) -> UInt? {
        #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
            // Unsafe pointers: only compared. The file is loaded already, and isn't loaded again.
            let library = file.map { dlopen($0, RTLD_LAZY | RTLD_NOLOAD) } ?? dlopen(nil, RTLD_LAZY)
            guard let library else { return nil }
            defer { dlclose(library) }
            return dlsym(library, symbol).map { UInt(bitPattern: $0) }
        #else
            return nil
        #endif
    }

    /// - Throws: ``Relux/StoreError/loadedTwice(in:)`` if there are several copies.
    static func check() throws(Relux.StoreError) {
        if !files.isEmpty { throw .loadedTwice(in: files) }
    }
}
