#if canImport(CPango)
internal import CPango
internal import RejoinLayout

/// A part of a range that is shaped at once: one font, one script.
struct TextItem: Equatable {
    var start: Int
    var end: Int
    /// The index of the font in its ``FontStack``.
    var slot: Int
    /// The script's ISO 15924 tag.
    var script: UInt32
    /// The embedding level that Pango saw: items that differ in nothing else are one.
    var level: UInt8
    /// Whether no lookup touches any of its characters, so that nominal advances hold.
    var isInert: Bool
    /// Whether it goes on with a stack that is too high to be shaped at once.
    var continuesCluster = false
}

/// Divides a range among fonts and scripts.
///
/// Both ways lead to the same glyphs for text that both can divide; the tests hold them to it.
struct Itemiser {
    private(set) var items: [TextItem] = []

    /// Divides a range of simple characters, left to right. `false` where the range has others;
    /// the items are void then.
    ///
    /// Follows `pango_itemize` of Pango 1.50: a run ends where the script changes; inside a run, an
    /// item is as long as the font is the same, and spaces belong to the item before them.
    mutating func divideSimple(
        _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, in stack: FontStack
    ) -> Bool {
        items.removeAll(keepingCapacity: true)
        var script = SimpleScript.common
        var scriptStart = 0
        var scriptCount = 0
        var hasPairs = false
        var isOpen = false
        var offset = range.lowerBound
        while offset < range.upperBound {
            let (scalar, next) = Self.decode(bytes, at: offset)
            let character = stack.character(scalar)
            guard character.slot < SimpleCharacter.complexSlot else { return false }
            if character.traits.contains(.paired) { hasPairs = true }
            if character.script != .common, character.script != script {
                scriptCount += 1
                if script == .common {
                    for index in scriptStart..<items.count {
                        items[index].script = character.script.tag
                    }
                } else {
                    isOpen = false
                    scriptStart = items.count
                }
                script = character.script
            }
            let isInert = character.traits.contains(.inert)
            if character.traits.contains(.space) {
                if isOpen {
                    items[items.count - 1].end = next
                    items[items.count - 1].isInert = false
                } else {
                    items.append(
                        TextItem(
                            start: offset, end: next, slot: -1, script: script.tag, level: 0,
                            isInert: false))
                    isOpen = true
                }
            } else if isOpen, items[items.count - 1].slot < 0 {
                // Spaces at the start of a run take the font of what follows them.
                items[items.count - 1].slot = Int(character.slot)
                items[items.count - 1].end = next
            } else if isOpen, items[items.count - 1].slot == Int(character.slot) {
                items[items.count - 1].end = next
                if !isInert { items[items.count - 1].isInert = false }
            } else {
                items.append(
                    TextItem(
                        start: offset, end: next, slot: Int(character.slot), script: script.tag,
                        level: 0, isInert: isInert))
                isOpen = true
            }
            offset = next
        }
        for index in items.indices where items[index].slot < 0 {
            items[index].slot = stack.spaceSlot
        }
        // The second half of a pair has the script of the first, which Pango keeps a stack for.
        return !hasPairs || scriptCount <= 1
    }

    /// Divides any range by Pango.
    ///
    /// - Complexity: linear in the range.
    mutating func divide(
        _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, in stack: FontStack,
        map: FontMap, direction: TextDirection
    ) {
        items.removeAll(keepingCapacity: true)
        guard let start = bytes.baseAddress else { return }
        // Pango counts the characters before the range, so the range is handed over as a text of
        // its own; what stands before it has no say in fonts and scripts.
        let text = start + range.lowerBound
        let limited = BidiLevels.limitingExplicit(
            UnsafeBufferPointer(start: text, count: range.count))
        let list = (limited ?? []).withUnsafeBufferPointer { copy in
            pango_itemize_with_base_dir(
                stack.context,
                direction == .rightToLeft ? PANGO_DIRECTION_RTL : PANGO_DIRECTION_LTR,
                UnsafeRawPointer(limited == nil ? text : copy.baseAddress ?? text)
                    .assumingMemoryBound(to: CChar.self), 0, Int32(range.count), map.noAttributes,
                nil)
        }
        var node = list
        while let current = node {
            // The list holds items and nothing else.
            let item = current.pointee.data.assumingMemoryBound(to: PangoItem.self)
            take(item.pointee, from: range.lowerBound, in: stack)
            pango_item_free(item)
            node = current.pointee.next
        }
        g_list_free(list)
    }

    private mutating func take(_ item: PangoItem, from origin: Int, in stack: FontStack) {
        let start = origin + Int(item.offset)
        let end = start + Int(item.length)
        let slot = item.analysis.font.map { stack.index(of: $0) } ?? stack.spaceSlot
        let script = Self.tag(of: item.analysis.script)
        let level = item.analysis.level
        if let last = items.last, last.slot == slot, last.script == script, last.level != level {
            items[items.count - 1].end = end
            items[items.count - 1].level = level
        } else {
            items.append(
                TextItem(
                    start: start, end: end, slot: slot, script: script, level: level,
                    isInert: false))
        }
    }

    /// Gives all spaces of the range the font that ``FontStack/space(after:inScriptOf:before:)``
    /// names, so that it hangs on what stands beside them in their run, wherever a line is cut.
    mutating func settleSpaces(
        _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, run: Range<Int>,
        in stack: FontStack, isRightToLeft: Bool
    ) {
        var index = 0
        var offset = range.lowerBound
        while offset < range.upperBound {
            guard bytes[offset] == 0x20 else {
                offset += 1
                continue
            }
            let start = offset
            while offset < range.upperBound, bytes[offset] == 0x20 { offset += 1 }
            let previous = Self.scalar(before: start, bytes, in: run)
            let isApart = previous == nil && start > 0
            let space = stack.space(
                after: previous,
                inScriptOf: !isApart && SpaceScript.tells(previous ?? 0)
                    ? nil : SpaceScript.letter(before: start, in: bytes, isApart: isApart)?.value,
                before: Self.character(from: offset, bytes, in: run))
            while index < items.count, items[index].end <= start { index += 1 }
            let item = items[index]
            // Where the script alone differs, the advance decides.
            if item.end >= offset, item.slot == space.slot,
                item.script == space.script
                    || stack.spaceAdvance(
                        slot: item.slot, script: item.script, isRightToLeft: isRightToLeft)
                        == stack.spaceAdvance(
                            slot: item.slot, script: space.script, isRightToLeft: isRightToLeft)
            {
                continue
            }
            index = place(start..<offset, space.slot, space.script, at: index)
        }
    }

    /// How many marks in a row, and letters that viramas stack on another, are shaped at once.
    /// HarfBuzz takes quadratic time in them, and no script has as many.
    static let stackLimit = 128

    /// Unicode's canonical combining class of viramas.
    private static let virama: Int32 = 9

    /// Cuts items where more than ``stackLimit`` marks and stacked letters follow each other.
    ///
    /// - Complexity: linear in the items.
    mutating func limitStacks(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard items.contains(where: { $0.end - $0.start > Self.stackLimit * 2 }) else { return }
        var result: [TextItem] = []
        var height = 0
        var isBehindVirama = false
        for var item in items {
            guard !item.isInert else {
                (height, isBehindVirama) = (0, false)
                result.append(item)
                continue
            }
            var offset = item.start
            while offset < item.end {
                let (scalar, next) = Self.decode(bytes, at: offset)
                // No mark stands below the block of combining marks.
                let isMark = scalar >= 0x300 && g_unichar_ismark(scalar) != 0
                height = isMark || isBehindVirama ? height + 1 : 0
                isBehindVirama = isMark && g_unichar_combining_class(scalar) == Self.virama
                if height > Self.stackLimit, offset > item.start {
                    var part = item
                    part.end = offset
                    result.append(part)
                    item.start = offset
                    item.continuesCluster = true
                    height = 1
                }
                offset = next
            }
            result.append(item)
        }
        items = result
    }

    /// Puts spaces into an item of their own, with a font and a script. `index` is the item that
    /// holds the first of them.
    ///
    /// - Returns: the index of that item.
    private mutating func place(
        _ spaces: Range<Int>, _ slot: Int, _ script: UInt32, at index: Int
    ) -> Int {
        var last = index
        while last + 1 < items.count, items[last].end < spaces.upperBound { last += 1 }
        var parts: [TextItem] = []
        if items[index].start < spaces.lowerBound {
            var part = items[index]
            part.end = spaces.lowerBound
            parts.append(part)
        }
        let place = index + parts.count
        parts.append(
            TextItem(
                start: spaces.lowerBound, end: spaces.upperBound, slot: slot, script: script,
                level: 0, isInert: false))
        if items[last].end > spaces.upperBound {
            var part = items[last]
            part.start = spaces.upperBound
            parts.append(part)
        }
        items.replaceSubrange(index...last, with: parts)
        return place
    }

    private static func scalar(
        before offset: Int, _ bytes: UnsafeBufferPointer<UInt8>, in run: Range<Int>
    ) -> UInt32? {
        var start = offset - 1
        while start >= run.lowerBound, bytes[start] == 0x20 { start -= 1 }
        while start > run.lowerBound, bytes[start] & 0xC0 == 0x80 { start -= 1 }
        return start >= run.lowerBound ? decode(bytes, at: start).0 : nil
    }

    /// As ``SpaceScript/character(from:in:)``, which is asked where a selector may follow.
    private static func character(
        from offset: Int, _ bytes: UnsafeBufferPointer<UInt8>, in run: Range<Int>
    ) -> UInt32? {
        guard offset < run.upperBound,
            let start = bytes[offset..<run.upperBound].firstIndex(where: { $0 != 0x20 })
        else { return nil }
        let (scalar, next) = decode(bytes, at: start)
        guard next < bytes.count, bytes[next] == 0xEF else { return scalar }
        return SpaceScript.character(from: start, in: bytes)?.value
    }

    private static func tag(of script: UInt8) -> UInt32 {
        let tag = g_unicode_script_to_iso15924(GUnicodeScript(rawValue: Int32(script)))
        return hb_script_from_iso15924_tag(tag).rawValue
    }

    /// The scalar at an offset and where the next one begins.
    ///
    /// The text is well-formed, as ``ShapingRequest/paragraph`` promises.
    @inline(__always)
    static func decode(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> (UInt32, Int) {
        let lead = UInt32(bytes[offset])
        if lead < 0x80 { return (lead, offset + 1) }
        let second = UInt32(bytes[offset + 1] & 0x3F)
        if lead < 0xE0 { return ((lead & 0x1F) << 6 | second, offset + 2) }
        let third = UInt32(bytes[offset + 2] & 0x3F)
        if lead < 0xF0 { return ((lead & 0x0F) << 12 | second << 6 | third, offset + 3) }
        let fourth = UInt32(bytes[offset + 3] & 0x3F)
        return ((lead & 0x07) << 18 | second << 12 | third << 6 | fourth, offset + 4)
    }
}
#endif
