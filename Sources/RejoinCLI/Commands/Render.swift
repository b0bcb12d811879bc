#if os(Linux)
import Foundation
import RejoinJSON
import RejoinLayout
import RejoinModel

extension Command {
    /// `rejoin render`.
    static let render = Command(
        name: "render", summary: "draw a room as PNG pictures",
        help: """
            usage: rejoin render --room FILE.json [options] [--output OUT.png]
                   rejoin render --server URL --room NAME --token TOKEN [options] [--output OUT.png]

            Lays a room out as a list shows it and draws it. A room that is higher than
            \(RoomPicture.tileHeight) pixels becomes OUT-1.png, OUT-2.png and so on, from the top.

              --room FILE       a page of history, as the reference backend answers it (see below)
              --server URL      fetch the room NAME from a backend instead
              --token TOKEN     the token of a member; better given by the environment variable
                                REJOIN_TOKEN, because arguments are seen by everybody on the machine
              --limit N         how many messages are drawn, the newest of the room (default: all of
                                a file, \(RenderOptions.fetched) of a server)
              --pictures N      how many pictures are drawn at most (default
                                \(RoomPicture.defaultPictures), up to \
            \(RenderOptions.mostPictures)); a room that needs more is refused
              --me USER         whose messages stand on the own side
              --width W         the list's width in points (default 390), from
                                \(RenderOptions.widths.lowerBound) to \
            \(RenderOptions.widths.upperBound)
              --scale S         pixels per point: 1, 2 (default) or 3
              --type-size P     the type size in percent, 50 to 400 (default 100)
              --theme NAME      light (default) or dark
              --rtl             for an app that is read from the right
              --locale ID       how times are written (default en_GB)
              --time-zone NAME  where the reader is (default UTC)
              --output FILE     the picture (default room.png)
              --json            prints {"files":[…],"width":…,"height":…,"rows":…}

            The file is one JSON object:
              {"messages":[{"id":1,"author":"ann","sentAt":1772447040000,
                            "content":[{"type":"text","text":"Hello"}],
                            "editedAt":…,"deleted":…,"reactions":[{"emoji":"👍","users":["ben"]}]}],
               "members":[{"id":"ann","name":"Ann"}],"hasBefore":false,"hasAfter":false}
            Messages ascend by id; times are milliseconds since 1970. The types of content are text,
            image, video, audio, file, linkPreview, quote, call and notice; others are shown as
            unsupported. Media have a url and, where known, name, mediaType, bytes, width, height
            and duration (in milliseconds); a linkPreview has url, title, summary and image; a quote
            has message, author and excerpt; a call has missed and duration; a notice has a text.
            Pictures are not loaded: a coloured surface of their size stands for them.
            The file has at most \(RoomPage.largestFile) bytes. Of each text, the first
            \(TextPreparer.maximumByteCount) bytes are drawn; standard error tells of longer ones.

            Numbered pictures of an earlier run that would not be replaced are an error, because
            they would seem to belong to the new ones. Standard error tells of each of several
            pictures when it is drawn.

            Exit status: 0 when everything was drawn; 1 for a file, server, font or picture that
            fails; 2 for wrong usage.
            """
    ) { arguments in
        var arguments = arguments
        let isJSON = try arguments.flag("--json")
        let options = try RenderOptions(&arguments, now: Date())
        let page =
            switch options.source {
            case .file(let path): try RoomPage.read(path)
            case .server(let url, let room, let token):
                try await RoomPage.fetch(
                    url, room, token: token, limit: options.limit ?? RenderOptions.fetched)
            }
        let shown = RoomPage.newest(options.limit, of: page)
        if let text = RoomPage.note(on: shown) { Self.note(text) }
        let room = try RoomPage.snapshot(of: shown)
        let picture = try RoomPicture(
            room, me: options.me, environment: options.environment, theme: options.theme)
        let files = try picture.write(
            to: options.output, atMost: options.pictures, progress: Self.note)
        try Self.report(picture, files, isJSON: isJSON)
        return 0
    }

    private static func note(_ text: String) { StandardStreams.note("render: \(text)") }

    private static func report(
        _ picture: RoomPicture, _ files: [String], isJSON: Bool
    ) throws(CommandError) {
        let size = picture.size
        guard isJSON else {
            let list = files.joined(separator: ", ")
            return try StandardStreams.say(
                "\(list): \(picture.rowCount) rows, \(size.width) x \(size.height) pixels")
        }
        var json = JSONWriter()
        json.beginObject()
        json.key("files")
        json.beginArray()
        for file in files { json.string(file) }
        json.endArray()
        json.member("width", size.width)
        json.member("height", size.height)
        json.member("rows", picture.rowCount)
        json.endObject()
        try StandardStreams.say(String(decoding: json.bytes, as: UTF8.self))
    }
}
#endif
