/// `generate`: what the build plugin runs.
enum GenerateCommand {
    static let help = """
        usage: RejoinFlagsTool generate --input FILE.flagd.json --output FILE.swift

        Writes typed keys, variants and code defaults for the flags of a file in flagd's format.
        Mistakes are told as path:line:column: error: … on standard error, and nothing is written.
        """

    static func run(
        _ arguments: inout ToolArguments, _ world: ToolWorld, _ result: inout ToolResult
    ) throws(UsageError) {
        let input = try arguments.required("--input")
        let output = try arguments.required("--output")
        try arguments.finish()
        switch FlagsTool.load(input, world) {
        case .failure(let complaint):
            result.complain(complaint.finding.line)
            result.status = 1
        case .success(let source):
            let name = input.split(separator: "/").last.map(String.init) ?? input
            let generated = FlagCodegen(source, fileName: name)
            for finding in generated.findings {
                result.complain(FileFinding(finding, in: input).line)
            }
            guard let swift = generated.swift else {
                result.status = 1
                return
            }
            result.files = [
                ToolResult.File(path: output, bytes: ContiguousArray(swift.utf8))
            ]
        }
    }
}
