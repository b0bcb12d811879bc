import RejoinFlags
import RejoinJSON

/// Something wrong with one of several files, as commands tell it.
struct FileFinding {
    let path: String
    let severity: FlagDiagnostic.Severity
    let code: String
    let flag: String?
    let message: String
    /// `nil` where the file could not be read.
    let location: JSONLocation?

    init(
        path: String, severity: FlagDiagnostic.Severity, code: String, flag: String?,
        message: String, location: JSONLocation?
    ) {
        self.path = path
        self.severity = severity
        self.code = code
        self.flag = flag
        self.message = message
        self.location = location
    }

    init(_ diagnostic: FlagDiagnostic, in path: String) {
        self.init(
            path: path, severity: diagnostic.severity, code: diagnostic.code.rawValue,
            flag: diagnostic.flag, message: diagnostic.message, location: diagnostic.location)
    }

    /// `path:line:column: severity: …`, which compilers write, and editors and Xcode read:
    /// one line, whatever stands in keys and paths.
    var line: String {
        let place = location.map { "\($0.line):\($0.column):" } ?? "1:1:"
        let subject = flag.map { "flag '\($0)': " } ?? ""
        return "\(path):\(place) \(severity.rawValue): \(subject)\(message) [\(code)]".printable
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("file", path)
        json.member("line", location?.line)
        json.member("column", location?.column)
        json.member("severity", severity.rawValue)
        json.member("code", code)
        json.member("flag", flag)
        json.member("message", message)
        json.endObject()
    }
}

extension JSONWriter {
    /// Writes findings as an array.
    mutating func value(_ findings: [FileFinding]) {
        beginArray()
        for finding in findings { finding.write(to: &self) }
        endArray()
    }

    /// What was written, as a text.
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
