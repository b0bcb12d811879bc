#if os(Linux)
import Foundation
import RejoinLayout
import RejoinModel
import RejoinTypography

/// A room as pictures: its rows laid out once, drawn tile by tile.
struct RoomPicture {
    /// The greatest height of a tile, in pixels.
    static let tileHeight: Int32 = 8_192
    /// How many pictures a room becomes at most, unless told.
    static let defaultPictures = 100

    private let frame: TimelineFrame<LayoutData>
    private let painter: RowPainter
    private let margin: Int32
    private let width: Int32

    /// Lays a room out.
    ///
    /// - Throws: where fonts are missing.
    init(
        _ room: RoomSnapshot, me: UserID?, environment: LayoutEnvironment, theme: RowTheme
    ) throws(CommandError) {
        let shaper = try Self.shaper()
        let measurer = RowMeasurer(
            preparer: TextPreparer(shaper: shaper), environment: environment, me: me)
        measurer.members = room.members
        var composer = RowComposer(me: me)
        _ = composer.update(room, environment: environment)
        frame = TimelineFrame(
            composer.rows, version: composer.version, measure: measurer.measure)
        painter = RowPainter(theme: theme, shaper: shaper)
        margin = environment.pixels(10)
        width = environment.width
    }

    private static func shaper() throws(CommandError) -> PangoShaper {
        do {
            return try PangoShaperFactory().makePangoShaper()
        } catch {
            throw .failure(error.description)
        }
    }

    /// How many rows it has.
    var rowCount: Int { frame.count }

    /// The size of the whole, in pixels.
    var size: (width: Int32, height: Int64) {
        (width, frame.rows.elements.reduce(Int64(margin)) { $0 + Int64($1.data.size.height) })
    }

    /// Draws the tiles from top to bottom, each as a PNG file: `OUT.png`, or `OUT-1.png` and so on
    /// where there are several.
    ///
    /// - Parameters:
    ///   - output: the name of the file, with its ending `.png`.
    ///   - option: what names it on the command line, for errors.
    ///   - limit: how many files are written at most. A room that needs more is refused before
    ///     anything is drawn.
    ///   - progress: told what was drawn, where there are several.
    /// - Returns: the names of the files that were written.
    func write(
        to output: String, option: String = "--output", atMost limit: Int = defaultPictures,
        progress: (String) -> Void
    ) throws(CommandError) -> [String] {
        let height = max(1, size.height)
        let tileHeight = Int64(Self.tileHeight)
        let count = Int((height + tileHeight - 1) / tileHeight)
        guard count <= limit else {
            throw .failure(
                "the room is \(height) pixels high, which takes \(count) pictures, and at most "
                    + "\(limit) are drawn; draw fewer messages (--limit), smaller (--scale, "
                    + "--type-size), or more pictures (--pictures)")
        }
        let files = PictureFiles(output, count: count)
        try files.refuseLeftovers(option)
        for (number, name) in files.names.enumerated() {
            let top = Int64(number) * tileHeight
            let png: Data
            do {
                png = try draw(top: top, height: Int32(min(tileHeight, height - top)))
            } catch {
                throw .failure(error.description)
            }
            do {
                try png.write(to: URL(filePath: name), options: .atomic)
            } catch {
                let reason = SystemError.text(of: error) ?? "its folder does not take it"
                throw .failure("the picture '\(name)' cannot be written: \(reason)")
            }
            if count > 1 { progress("drew \(name), \(number + 1) of \(count)") }
        }
        return files.names
    }

    /// Draws a tile.
    private func draw(top: Int64, height: Int32) throws(TypographyError) -> Data {
        let canvas = try Canvas(width: width, height: height)
        canvas.fill(painter.theme.background)
        // The ink of a row may reach into the rows beside it.
        let reach = Int64(margin) * 4
        var y = -top
        for row in frame.rows.elements {
            let next = y + Int64(row.data.size.height)
            if next > -reach, y < Int64(height) + reach {
                painter.draw(row.data, y: Int32(y), on: canvas)
            }
            y = next
        }
        return try canvas.png()
    }
}
#endif
