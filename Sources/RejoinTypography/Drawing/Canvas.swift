#if canImport(CPango)
internal import CPango
public import Foundation
public import RejoinLayout

/// A picture in device pixels, to draw text and shapes on; off the main thread, one thread at a
/// time.
///
/// Its coordinates may begin anywhere: a tile of a tall message is a canvas whose origin is the
/// tile's corner, and whatever is drawn is drawn as for the whole, with the rest cut off.
public final class Canvas {
    /// The part of the whole that the canvas shows.
    public let frame: PixelRect

    /// Cairo's drawing context and surface. Both owned.
    let context: OpaquePointer
    private let surface: OpaquePointer

    /// The largest edge of a picture that Cairo can draw, in pixels.
    public static let maximumEdge: Int32 = 32_767

    /// Creates a transparent picture.
    ///
    /// - Throws: ``TypographyError`` where an edge is longer than ``maximumEdge`` or the memory
    ///   does not suffice: take tiles then.
    public init(frame: PixelRect) throws(TypographyError) {
        let width = max(frame.width, 1)
        let height = max(frame.height, 1)
        guard width <= Self.maximumEdge, height <= Self.maximumEdge,
            let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height),
            let context = cairo_create(surface)
        else { throw Self.tooLarge(width, height) }
        self.frame = frame
        self.surface = surface
        self.context = context
        guard cairo_status(context) == CAIRO_STATUS_SUCCESS else {
            throw Self.tooLarge(width, height)
        }
        cairo_translate(context, -Double(frame.x), -Double(frame.y))
    }

    /// Creates a transparent picture whose upper left corner is (0, 0).
    public convenience init(width: Int32, height: Int32) throws(TypographyError) {
        try self.init(frame: PixelRect(x: 0, y: 0, width: width, height: height))
    }

    deinit {
        cairo_destroy(context)
        cairo_surface_destroy(surface)
    }

    private static func tooLarge(_ width: Int32, _ height: Int32) -> TypographyError {
        TypographyError(
            code: .pictureTooLarge,
            description: "A picture of \(width) x \(height) pixels cannot be made; "
                + "draw it in tiles of at most \(maximumEdge) pixels a side.")
    }

    // MARK: Shapes

    /// Fills the whole canvas.
    public func fill(_ color: Color) {
        set(color)
        cairo_paint(context)
    }

    /// Fills a rectangle with round corners.
    ///
    /// - Parameter radius: pixels; half of the shorter edge is the most.
    public func fill(_ rect: PixelRect, color: Color, radius: Int32 = 0) {
        guard !rect.isEmpty, rect.intersects(frame) else { return }
        set(color)
        addPath(rect, radius: radius)
        cairo_fill(context)
    }

    /// Draws the outline of a rectangle, inside of it.
    public func stroke(_ rect: PixelRect, color: Color, width: Int32 = 1, radius: Int32 = 0) {
        guard !rect.isEmpty, rect.intersects(frame) else { return }
        cairo_save(context)
        defer { cairo_restore(context) }
        set(color)
        // Twice the width, with the outer half clipped off.
        addPath(rect, radius: radius)
        cairo_clip_preserve(context)
        cairo_set_line_width(context, Double(width) * 2)
        cairo_stroke(context)
    }

    /// Draws with everything outside of a rectangle cut off.
    public func clipped<Failure: Error>(
        to rect: PixelRect, radius: Int32 = 0, _ draw: () throws(Failure) -> Void
    ) throws(Failure) {
        cairo_save(context)
        defer { cairo_restore(context) }
        addPath(rect, radius: radius)
        cairo_clip(context)
        try draw()
    }

    /// Stands for a picture that is not loaded: a chequered surface whose colours follow from a
    /// seed.
    public func drawPlaceholder(_ rect: PixelRect, seed: UInt64, radius: Int32 = 0) {
        guard !rect.isEmpty, rect.intersects(frame) else { return }
        let hue = Double((seed &* 0x9E37_79B9_7F4A_7C15) >> 40) / Double(1 << 24)
        let tints = [Color(hue: hue, lightness: 0.72), Color(hue: hue, lightness: 0.66)]
        clipped(to: rect, radius: radius) {
            fill(rect, color: tints[0])
            let cell = max(4, min(rect.width, rect.height) / 6)
            for row in 0...(rect.height / cell) {
                for column in 0...(rect.width / cell) where (row + column) % 2 == 1 {
                    fill(
                        PixelRect(
                            x: rect.x + column * cell, y: rect.y + row * cell, width: cell,
                            height: cell), color: tints[1])
                }
            }
        }
    }

    private func addPath(_ rect: PixelRect, radius: Int32) {
        let x = Double(rect.x)
        let y = Double(rect.y)
        let width = Double(rect.width)
        let height = Double(rect.height)
        let radius = min(Double(radius), width / 2, height / 2)
        cairo_new_path(context)
        guard radius > 0 else {
            cairo_rectangle(context, x, y, width, height)
            return
        }
        cairo_arc(context, x + width - radius, y + radius, radius, -.pi / 2, 0)
        cairo_arc(context, x + width - radius, y + height - radius, radius, 0, .pi / 2)
        cairo_arc(context, x + radius, y + height - radius, radius, .pi / 2, .pi)
        cairo_arc(context, x + radius, y + radius, radius, .pi, .pi * 1.5)
        cairo_close_path(context)
    }

    func set(_ color: Color) {
        cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha)
    }

    // MARK: Pixels

    /// The pixels row by row, four bytes each: blue, green, red, alpha on the usual machines,
    /// premultiplied (Cairo's ARGB32 in the byte order of the machine).
    public var pixels: [UInt32] {
        cairo_surface_flush(surface)
        let width = Int(cairo_image_surface_get_width(surface))
        let height = Int(cairo_image_surface_get_height(surface))
        let stride = Int(cairo_image_surface_get_stride(surface))
        // The surface owns its pixels, and is flushed; they are copied here, row by row.
        guard let data = cairo_image_surface_get_data(surface) else { return [] }
        return [UInt32](unsafeUninitializedCapacity: width * height) { buffer, count in
            let copy = UnsafeMutableRawBufferPointer(buffer)
            for y in 0..<height {
                let row = UnsafeRawBufferPointer(start: data + y * stride, count: width * 4)
                UnsafeMutableRawBufferPointer(rebasing: copy[(y * width * 4)...]).copyMemory(
                    from: row)
            }
            count = width * height
        }
    }

    /// The picture as a PNG file.
    ///
    /// - Throws: ``TypographyError`` where Cairo cannot encode it.
    public func png() throws(TypographyError) -> Data {
        let sink = PNGSink()
        // The sink outlives the call, which alone uses the pointer.
        let status = cairo_surface_write_to_png_stream(
            surface,
            { closure, bytes, count in
                guard let closure, let bytes else { return CAIRO_STATUS_WRITE_ERROR }
                Unmanaged<PNGSink>.fromOpaque(closure).takeUnretainedValue()
                    .data.append(bytes, count: Int(count))
                return CAIRO_STATUS_SUCCESS
            }, Unmanaged.passUnretained(sink).toOpaque())
        guard status == CAIRO_STATUS_SUCCESS else {
            throw TypographyError(
                code: .pictureNotWritten,
                description: "The picture could not be encoded as PNG: "
                    + "\(String(cString: cairo_status_to_string(status))).")
        }
        return sink.data
    }
}

/// Takes the bytes of a picture from Cairo.
private final class PNGSink {
    var data = Data()
}

extension Color {
    /// A soft colour of a hue, 0 to 1.
    fileprivate init(hue: Double, lightness: Double) {
        func channel(_ shift: Double) -> Double {
            lightness + 0.12 * cos(2 * .pi * (hue - shift))
        }
        self.init(red: channel(0), green: channel(1.0 / 3), blue: channel(2.0 / 3))
    }
}
#endif
