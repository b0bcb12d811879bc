#if os(Linux)
import Foundation
import RejoinLayout
import RejoinModel
import RejoinTypography

/// A room as pictures: its rows laid out once, drawn tile by tile.
struct RoomPicture {
    /// The greatest height of a tile, in pixels.
    static let tileHeight: Int32 = 8_192

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
    /// - Parameter output: the name of the file, with its ending `.png`.
    /// - Returns: the names of the files that were written.
    func write(to output: String) throws(CommandError) -> [String] {
        let height = max(1, size.height)
        let isTiled = height > Int64(Self.tileHeight)
        var files: [String] = []
        var top: Int64 = 0
        while top < height {
            let tile = Int32(min(Int64(Self.tileHeight), height - top))
            let name = isTiled ? "\(output.dropLast(4))-\(files.count + 1).png" : output
            let png: Data
            do {
                png = try draw(top: top, height: tile)
            } catch {
                throw .failure(error.description)
            }
            do {
                try png.write(to: URL(filePath: name), options: .atomic)
            } catch {
                throw .failure("the picture '\(name)' cannot be written; does its folder exist?")
            }
            files.append(name)
            top += Int64(tile)
        }
        return files
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
