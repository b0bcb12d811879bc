package import RejoinFlags

/// What a command may ask of the world, so that the commands themselves are functions.
package struct ToolWorld: Sendable {
    /// The bytes of a file, or why not.
    package var read: @Sendable (String) -> Result<ContiguousArray<UInt8>, FlagFileError>
    /// Today, where flags expire.
    package var today: CalendarDay?
    /// Seconds since 1970.
    package var now: Int64

    /// Creates a world.
    package init(
        today: CalendarDay?, now: Int64,
        read: @escaping @Sendable (String) -> Result<ContiguousArray<UInt8>, FlagFileError>
    ) {
        self.today = today
        self.now = now
        self.read = read
    }
}

/// What a command has to say, and what it wants written.
package struct ToolResult: Hashable, Sendable {
    /// For standard output.
    package var output = ""
    /// For standard error.
    package var complaints = ""
    /// Files to write, each at once and whole.
    package var files: [File] = []
    /// 0 on success, 1 where something is wrong with a file, 2 for wrong usage; SwiftPM makes 1 of
    /// both.
    package var status: Int32 = 0

    /// A file to write.
    package struct File: Hashable, Sendable {
        /// The path.
        package let path: String
        /// The bytes.
        package let bytes: ContiguousArray<UInt8>
        /// What a person's file held when it was read, which this replaces; its permissions and
        /// links stay. `nil`: a file of our own.
        package var replaced: ContiguousArray<UInt8>?
        /// Whether the command is run again where the person's file has changed meanwhile.
        package var isRetried = false
    }

    mutating func say(_ line: String) { output += "\(line)\n" }
    mutating func complain(_ line: String) { complaints += "\(line)\n" }
}

/// Wrong usage: one clear line.
struct UsageError: Error {
    let message: String
}
