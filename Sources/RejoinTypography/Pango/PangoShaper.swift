#if canImport(CPango)
internal import CPango
public import RejoinLayout

/// Shapes text on Linux: Pango divides it among fonts and scripts, HarfBuzz shapes the parts.
///
/// Advances are unhinted and not rounded to pixels. Characters that no pinned font has are drawn
/// and measured as the empty box of the last font that was tried.
///
/// It belongs to one thread at a time, with a font map of its own.
public final class PangoShaper: TextShaper {
    /// Which way a range is divided among fonts; the answers are the same.
    package enum Dividing: Sendable {
        /// Without Pango where the characters allow it.
        case fast
        /// Always by Pango.
        case byPango
    }

    public let fontEpoch: UInt64

    private let fonts: PinnedFonts
    private let map: FontMap
    private let dividing: Dividing
    private var itemiser = Itemiser()
    /// The one buffer of HarfBuzz. Owned.
    private let buffer: OpaquePointer?
    // Unchecked, since every call looks here and none gives way to another one in between.
    @exclusivity(unchecked) private var stacks: [FontStack] = []

    /// How many pairs of font and language are kept; where a further one comes, all are
    /// dropped. A chat has fewer than ten.
    private static let stackLimit = 64

    /// Creates a shaper, and loads its fonts (5 to 40 ms).
    ///
    /// - Throws: ``TypographyError`` where a pinned font is missing.
    public convenience init(fonts: PinnedFonts = .standard, fontEpoch: UInt64 = 0)
        throws(TypographyError)
    {
        try self.init(fonts: fonts, fontEpoch: fontEpoch, dividing: .fast)
    }

    package init(fonts: PinnedFonts, fontEpoch: UInt64, dividing: Dividing)
        throws(TypographyError)
    {
        self.fonts = fonts
        self.fontEpoch = fontEpoch
        self.dividing = dividing
        map = try FontMap(fonts: fonts)
        buffer = hb_buffer_create()
    }

    deinit { hb_buffer_destroy(buffer) }

    public func metrics(of font: FontRequest) -> FontMetrics {
        let stack = stack(for: font, language: "")
        return stack.slots[stack.spaceSlot].metrics
    }

    public func shape(_ request: ShapingRequest) -> ShapedRun {
        let stack = stack(for: request.font, language: request.language)
        guard !request.range.isEmpty else {
            return ShapedRun(
                clusters: [], extent: stack.slots[stack.spaceSlot].metrics, isContextFree: true)
        }
        return request.paragraph.withUnsafeBufferPointer { bytes in
            divide(request, bytes, in: stack)
            return measure(request, bytes, in: stack)
        }
    }

    public func spaceAdvance(
        after previous: Unicode.Scalar?, inScriptOf letter: Unicode.Scalar?,
        before next: Unicode.Scalar?, font: FontRequest, direction: TextDirection, language: String
    ) -> Advance {
        let stack = stack(for: font, language: language)
        let space = stack.space(
            after: previous?.value, inScriptOf: letter?.value, before: next?.value)
        return stack.spaceAdvance(
            slot: space.slot, script: space.script, isRightToLeft: direction == .rightToLeft)
    }

    public func bidiLevels(of paragraph: [UInt8], base: TextDirection) -> [UInt8] {
        BidiLevels.resolve(paragraph, base: base)
    }

    public func dictionaryBreaks(in paragraph: [UInt8], range: Range<Int>) -> [Int] {
        DictionaryBreaks.find(in: paragraph, range: range)
    }

    /// The glyphs of a range, for drawing: one run for each font, in logical order.
    func glyphRuns(_ request: ShapingRequest) -> [GlyphRun] {
        guard !request.range.isEmpty else { return [] }
        let stack = stack(for: request.font, language: request.language)
        return request.paragraph.withUnsafeBufferPointer { bytes in
            divide(request, bytes, in: stack)
            return itemiser.items.map { item in
                shape(item, request, bytes, in: stack)
                return GlyphRun(
                    reading: buffer, font: stack.slots[item.slot], start: item.start,
                    isRightToLeft: request.direction == .rightToLeft,
                    context: request.isIsolated ? request.range.lowerBound : 0)
            }
        }
    }

    private func divide(
        _ request: ShapingRequest, _ bytes: UnsafeBufferPointer<UInt8>, in stack: FontStack
    ) {
        if dividing == .byPango || request.direction == .rightToLeft
            || !itemiser.divideSimple(bytes, request.range, in: stack)
        {
            itemiser.divide(
                bytes, request.range, in: stack, map: map, direction: request.direction)
        }
        itemiser.settleSpaces(
            bytes, request.range, run: request.run, in: stack,
            isRightToLeft: request.direction == .rightToLeft)
        itemiser.limitStacks(bytes)
    }

    private func measure(
        _ request: ShapingRequest, _ bytes: UnsafeBufferPointer<UInt8>, in stack: FontStack
    ) -> ShapedRun {
        var run = ClusterBuilder(request, bytes)
        for item in itemiser.items {
            let slot = stack.slots[item.slot]
            run.begin(item, slot.metrics)
            if run.isContextFree, !hasSpaceAlone(item, request, in: stack) {
                run.isContextFree = false
            }
            if item.isInert {
                run.appendNominal(item, bytes, in: stack)
            } else if !appendAlone(item, bytes, in: stack, to: &run) {
                shape(item, request, bytes, in: stack)
                run.append(
                    item, reading: buffer, isRightToLeft: request.direction == .rightToLeft)
            }
        }
        return run.finish()
    }

    private func hasSpaceAlone(
        _ item: TextItem, _ request: ShapingRequest, in stack: FontStack
    ) -> Bool {
        stack.proof(
            slot: item.slot, script: item.script, isRightToLeft: request.direction == .rightToLeft
        ).isSpaceAlone
    }

    /// A single simple character moves the pen by the same distance each time.
    private func appendAlone(
        _ item: TextItem, _ bytes: UnsafeBufferPointer<UInt8>, in stack: FontStack,
        to run: inout ClusterBuilder
    ) -> Bool {
        let (scalar, next) = Itemiser.decode(bytes, at: item.start)
        guard next == item.end, item.level == 0 else { return false }
        let character = stack.character(scalar)
        guard character.slot == item.slot else { return false }
        if character.aloneScript != item.script {
            begin(item, in: stack, isRightToLeft: false)
            bytes.baseAddress?.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                hb_buffer_add_utf8(
                    buffer, $0 + item.start, Int32(item.end - item.start), 0,
                    Int32(item.end - item.start))
            }
            hb_shape(stack.slots[item.slot].shapingFont, buffer, nil, 0)
            var count: UInt32 = 0
            let positions = hb_buffer_get_glyph_positions(buffer, &count)
            var sum: Int32 = 0
            for index in 0..<Int(count) { sum &+= positions?[index].x_advance ?? 0 }
            stack.remember(
                scalar, alone: Advance(shapingUnits: max(0, sum)), in: item.script)
        }
        run.append(start: item.start, advance: stack.character(scalar).advance)
        return true
    }

    private func begin(_ item: TextItem, in stack: FontStack, isRightToLeft: Bool) {
        hb_buffer_clear_contents(buffer)
        hb_buffer_set_direction(
            buffer, isRightToLeft ? HB_DIRECTION_RTL : HB_DIRECTION_LTR)
        hb_buffer_set_script(buffer, hb_script_t(rawValue: item.script))
        hb_buffer_set_language(buffer, stack.shapingLanguage(item.script))
    }

    /// Leaves the glyphs of an item in the buffer.
    private func shape(
        _ item: TextItem, _ request: ShapingRequest, _ bytes: UnsafeBufferPointer<UInt8>,
        in stack: FontStack
    ) {
        begin(item, in: stack, isRightToLeft: request.direction == .rightToLeft)
        // What surrounds the item is context, by which letters join; an isolated range has none
        // beyond itself. HarfBuzz copies the text.
        let context = request.isIsolated ? request.range : 0..<bytes.count
        var flags = HB_BUFFER_FLAG_DEFAULT.rawValue
        if item.start == context.lowerBound { flags |= HB_BUFFER_FLAG_BOT.rawValue }
        if item.end == context.upperBound { flags |= HB_BUFFER_FLAG_EOT.rawValue }
        hb_buffer_set_flags(buffer, hb_buffer_flags_t(rawValue: flags))
        bytes.baseAddress?.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
            hb_buffer_add_utf8(
                buffer, $0 + context.lowerBound, Int32(context.count),
                UInt32(item.start - context.lowerBound), Int32(item.end - item.start))
        }
        hb_shape(stack.slots[item.slot].shapingFont, buffer, nil, 0)
    }

    private func stack(for font: FontRequest, language: String) -> FontStack {
        if let last = stacks.last, last.request == font, last.language == language {
            return last
        }
        if let index = stacks.firstIndex(where: {
            $0.request == font && $0.language == language
        }) {
            stacks.swapAt(index, stacks.count - 1)
            return stacks[stacks.count - 1]
        }
        if stacks.count >= Self.stackLimit { stacks.removeAll() }
        let stack = FontStack(
            request: font, language: language,
            families: fonts.families(for: font.family, language: language), map: map)
        stacks.append(stack)
        return stack
    }
}
#endif
