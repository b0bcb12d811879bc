#if canImport(CPango)
import CPango
import Foundation
import RejoinLayout
import RejoinTypography
import Testing

/// A picture that can be compared with another: a surface of Cairo with the colours that 16 bits
/// hold, so that the committed files are small.
final class Picture {
    /// Owned, 24 bits for each pixel.
    private let surface: OpaquePointer

    let width: Int
    let height: Int

    /// How far a channel may be off, of 255: as far as antialiasing differs between versions of
    /// Cairo and FreeType.
    static let channelTolerance: Int32 = 40

    private init(owning surface: OpaquePointer) {
        self.surface = surface
        width = Int(cairo_image_surface_get_width(surface))
        height = Int(cairo_image_surface_get_height(surface))
    }

    deinit { cairo_surface_destroy(surface) }

    /// What a canvas shows.
    convenience init(_ canvas: Canvas) throws {
        let (width, height) = (canvas.frame.width, canvas.frame.height)
        let coarse = try #require(
            cairo_image_surface_create(CAIRO_FORMAT_RGB16_565, width, height))
        defer { cairo_surface_destroy(coarse) }
        let fine = try #require(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height))
        var pixels = canvas.pixels
        pixels.withUnsafeMutableBytes { bytes in
            // The surface borrows the pixels, and is gone before they are.
            let source = cairo_image_surface_create_for_data(
                bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_RGB24, width,
                height, width * 4)
            Self.paint(source, on: coarse)
            cairo_surface_destroy(source)
        }
        Self.paint(coarse, on: fine)
        self.init(owning: fine)
    }

    /// A PNG file; nil where there is none.
    convenience init?(_ file: URL) {
        guard let read = cairo_image_surface_create_from_png(file.path) else { return nil }
        defer { cairo_surface_destroy(read) }
        guard cairo_surface_status(read) == CAIRO_STATUS_SUCCESS,
            let surface = cairo_image_surface_create(
                CAIRO_FORMAT_RGB24, cairo_image_surface_get_width(read),
                cairo_image_surface_get_height(read))
        else { return nil }
        Self.paint(read, on: surface)
        self.init(owning: surface)
    }

    private static func paint(_ source: OpaquePointer?, on surface: OpaquePointer) {
        let context = cairo_create(surface)
        cairo_set_source_surface(context, source, 0, 0)
        cairo_paint(context)
        cairo_destroy(context)
        cairo_surface_flush(surface)
    }

    /// Writes a PNG file.
    func write(to file: URL) throws {
        let status = cairo_surface_write_to_png(surface, file.path)
        try #require(status == CAIRO_STATUS_SUCCESS)
    }

    /// The pixels of a row, four bytes each, as long as the picture lives.
    private func row(_ y: Int) -> UnsafeRawPointer? {
        guard let data = cairo_image_surface_get_data(surface) else { return nil }
        return UnsafeRawPointer(data) + y * Int(cairo_image_surface_get_stride(surface))
    }

    /// The pixels that are too far off from another picture of the same size, row by row.
    func differences(from other: Picture) -> [Int] {
        var places: [Int] = []
        for y in 0..<height {
            guard let one = row(y), let two = other.row(y), memcmp(one, two, width * 4) != 0 else {
                continue
            }
            for x in 0..<width {
                let left = one.load(fromByteOffset: x * 4, as: UInt32.self)
                let right = two.load(fromByteOffset: x * 4, as: UInt32.self)
                if !Self.isNear(left, right) { places.append(y * width + x) }
            }
        }
        return places
    }

    /// A picture that marks pixels of this one.
    func marked(_ places: [Int]) throws -> Canvas {
        let canvas = try Canvas(width: Int32(width), height: Int32(height))
        canvas.fill(Color(0xEFEFEF))
        for place in places {
            canvas.fill(
                PixelRect(x: Int32(place % width), y: Int32(place / width), width: 1, height: 1),
                color: Color(0xD00000))
        }
        return canvas
    }

    private static func isNear(_ one: UInt32, _ other: UInt32) -> Bool {
        [0, 8, 16].allSatisfy { shift in
            let (left, right) = (Int32(one >> shift & 0xFF), Int32(other >> shift & 0xFF))
            return abs(left - right) <= channelTolerance
        }
    }
}

/// Pictures that are committed beside the tests.
enum PictureSnapshot {
    /// How many pixels of a thousand may be too far off.
    static let pixelTolerance = 1

    /// What is wrong with a picture as against the committed one; nil where they agree.
    static func difference(
        of canvas: Canvas, from name: String, testFile: String = #filePath
    ) throws -> String? {
        let place = URL(filePath: testFile).resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "Gallery/\(name).png")
        let picture = try Picture(canvas)
        if ProcessInfo.processInfo.environment["REJOIN_RECORD"] == "1" {
            try picture.write(to: place)
            return "Drew \(name).png; look at it and run the tests again."
        }
        guard let committed = Picture(place) else {
            return "\(name).png is not there; draw it with REJOIN_RECORD=1."
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "rejoin-gallery")
        func leave(_ kind: String, _ canvas: Canvas) throws {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true)
            try canvas.png().write(to: folder.appending(path: "\(name)-\(kind).png"))
        }
        guard (picture.width, picture.height) == (committed.width, committed.height) else {
            try leave("new", canvas)
            return "\(name).png is \(committed.width) x \(committed.height) pixels and now "
                + "\(picture.width) x \(picture.height); see \(folder.path)"
        }
        let places = picture.differences(from: committed)
        guard places.count * 1000 > picture.width * picture.height * pixelTolerance else {
            return nil
        }
        try leave("new", canvas)
        try leave("difference", try picture.marked(places))
        return "\(places.count) pixels of \(name).png differ; see \(folder.path)"
    }
}
#endif
