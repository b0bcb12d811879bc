// Drives the targets of RejoinFuzzing by libFuzzer; Fuzz/fuzz.sh builds and calls it.
//
//   RejoinFuzzer list                 the targets, a line each
//   RejoinFuzzer seeds TARGET FOLDER  the target's first inputs, a file each
//   RejoinFuzzer --target=TARGET …    libFuzzer, with its own arguments

import Foundation
import RejoinFuzzing

/// libFuzzer as a library (LLVM, "Using libFuzzer as a library"). The compiler's own entry point
/// would need a program for each target.
@_silgen_name("LLVMFuzzerRunDriver")
func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ feed: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The target that this process fuzzes; a C function cannot capture it.
nonisolated(unsafe) var chosen: FuzzTarget?

func fail(_ text: String) -> Never {
    FileHandle.standardError.write(Data("fuzz: \(text)\n".utf8))
    exit(2)
}

func target(_ name: String) -> FuzzTarget {
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
        fail(
            "there is no target '\(name)'; the targets are "
                + FuzzTarget.all.map(\.name).joined(separator: ", "))
    }
    return target
}

func writeSeeds(of target: FuzzTarget, to folder: String) {
    do {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        for (index, seed) in target.seeds().enumerated() {
            let file = URL(filePath: folder).appending(path: "seed-\(index)")
            try Data(seed.prefix(target.maximumBytes)).write(to: file)
        }
    } catch {
        fail("the seeds of \(target.name) could not be written to \(folder): \(error)")
    }
}

func fuzz(_ target: FuzzTarget) -> CInt {
    chosen = target
    // libFuzzer passes over `--target` and hands it to the processes that it starts itself.
    var arguments = CommandLine.arguments
    if !arguments.contains(where: { $0.hasPrefix("-max_len=") }) {
        arguments.append("-max_len=\(target.maximumBytes)")
    }
    var count = CInt(arguments.count)
    let words = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(
        capacity: arguments.count + 1)
    for (index, argument) in arguments.enumerated() { words[index] = strdup(argument) }
    words[arguments.count] = nil
    var vector = words
    return runDriver(&count, &vector) { start, count in
        let bytes = ContiguousArray(UnsafeBufferPointer(start: start, count: count))
        do {
            try chosen?.run(bytes)
        } catch {
            // libFuzzer keeps an input that traps.
            fatalError("\(error)")
        }
        return 0
    }
}

let optionPrefix = "--target="
let words = CommandLine.arguments.dropFirst()
switch words.first {
case "list":
    for target in FuzzTarget.all {
        print(target.name, target.words, target.promise, separator: "\t")
    }
case "seeds" where words.count == 3: writeSeeds(of: target(words[2]), to: words[3])
case let option? where option.hasPrefix(optionPrefix):
    exit(fuzz(target(String(option.dropFirst(optionPrefix.count)))))
case _?, nil: fail("say --target=NAME; `RejoinFuzzer list` names the targets")
}
