#if os(Linux)
import Foundation
import RejoinLayout
import RejoinModel
import RejoinTypography

/// What is drawn, and how.
struct RenderOptions {
    /// Where the room comes from.
    enum Source {
        /// A file with a page of history.
        case file(String)
        /// A backend.
        case server(URL, RoomID, token: String)
    }

    let source: Source
    let me: UserID?
    let environment: LayoutEnvironment
    let theme: RowTheme
    let output: String
    /// How many of the newest messages are drawn; `nil`: all of a file.
    let limit: Int?
    /// How many pictures are drawn at most.
    let pictures: Int

    /// The greatest width of a picture, in points.
    static let widths: ClosedRange<Int32> = 160...4_000

    /// How many pictures may be asked for.
    static let mostPictures = 1_000
    /// How many messages are fetched unless told.
    static let fetched = 200

    init(_ arguments: inout Arguments, now: Date) throws(CommandError) {
        let server = try arguments.option("--server")
        let room = try arguments.option("--room")
        let token = try GivenToken.take("--token", from: &arguments)?.text
        me = try arguments.option("--me").map { UserID($0) }
        limit = try arguments.integer("--limit", in: 1...10_000)
        pictures =
            try arguments.integer("--pictures", in: 1...Self.mostPictures)
            ?? RoomPicture.defaultPictures
        let scale: Int32 = try arguments.integer("--scale", in: 1...3) ?? 2
        let width: Int32 = try arguments.integer("--width", in: Self.widths) ?? 390
        let typeSize: Int32 = try arguments.integer("--type-size", in: 50...400) ?? 100
        let isRightToLeft = try arguments.flag("--rtl")
        theme = try Self.theme(try arguments.option("--theme") ?? "light")
        let locale = try arguments.option("--locale") ?? (isRightToLeft ? "he_IL" : "en_GB")
        let zone = try arguments.option("--time-zone") ?? "UTC"
        output = try arguments.option("--output") ?? "room.png"
        try arguments.finish()

        guard let timeZone = TimeZone(identifier: zone) else {
            throw .usage("--time-zone must be a name such as Asia/Seoul, not '\(zone)'")
        }
        try Self.requirePNG(output, "--output")
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        environment = LayoutEnvironment(
            scale: scale, width: width * scale, typeSize: typeSize,
            direction: isRightToLeft ? .rightToLeft : .leftToRight,
            languages: [Locale(identifier: locale).language.languageCode?.identifier ?? "en"],
            locale: Locale(identifier: locale), timeZone: timeZone, calendar: calendar,
            today: calendar.startOfDay(for: now))
        source = try Self.source(server: server, room: room, token: token)
    }

    /// Refuses names of files that are no pictures.
    static func requirePNG(_ name: String, _ option: String) throws(CommandError) {
        guard name.hasSuffix(".png"), name.count > 4 else {
            throw .usage("\(option) must be the name of a .png file, not '\(name)'")
        }
    }

    private static func theme(_ name: String) throws(CommandError) -> RowTheme {
        switch name {
        case "light": return .light
        case "dark": return .dark
        default: throw .usage("--theme must be light or dark, not '\(name)'")
        }
    }

    private static func source(
        server: String?, room: String?, token: String?
    ) throws(CommandError) -> Source {
        guard let room else {
            throw .usage("--room says which room: a file, or with --server the room's name")
        }
        guard let server else { return .file(room) }
        let url = try ServerAddress(server).origin
        guard let token, !token.isEmpty else {
            throw .usage("no token: give --token TOKEN, or set REJOIN_TOKEN")
        }
        return .server(url, RoomID(room), token: token)
    }
}
#endif
