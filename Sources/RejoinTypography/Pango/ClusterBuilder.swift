#if canImport(CPango)
internal import CPango
internal import RejoinLayout

/// Collects the clusters of a range, item by item, in logical order.
struct ClusterBuilder {
    /// Whether the result holds between any spaces.
    var isContextFree = true

    private let request: ShapingRequest
    private let bytes: UnsafeBufferPointer<UInt8>
    private var clusters: [ShapedRun.Cluster] = []
    private var extent: FontMetrics?
    /// Whether the text may be cut before the first cluster of the item.
    private var isStartSafe = true

    /// - Parameter bytes: the paragraph, valid as long as the builder.
    init(_ request: ShapingRequest, _ bytes: UnsafeBufferPointer<UInt8>) {
        self.request = request
        self.bytes = bytes
        clusters.reserveCapacity(min(request.range.count, 4096))
    }

    mutating func begin(_ item: TextItem, _ metrics: FontMetrics) {
        extent = extent.map {
            FontMetrics(
                ascent: max($0.ascent, metrics.ascent),
                descent: max($0.descent, metrics.descent))
        }
        extent = extent ?? metrics
        isStartSafe = !item.continuesCluster
        guard Self.joins(item.script) else { return }
        // Letters join across items and beyond the range, which HarfBuzz's flags do not tell.
        let edge = request.isIsolated ? request.range : 0..<bytes.count
        if item.start > edge.lowerBound, bytes[item.start - 1] != 0x20 { isStartSafe = false }
        if item.start == request.range.lowerBound, !isStartSafe { isContextFree = false }
        if item.end == request.range.upperBound, item.end < edge.upperBound,
            bytes[item.end] != 0x20, bytes[item.end - 1] != 0x20
        {
            isContextFree = false
        }
    }

    /// One cluster that may be cut off.
    mutating func append(start: Int, advance: Int32) {
        clusters.append(
            ShapedRun.Cluster(
                start: Int32(start), advance: Advance(rawValue: advance),
                isSafeToCut: isStartSafe))
    }

    /// Characters that no lookup touches: each is a cluster with its nominal advance.
    mutating func appendNominal(
        _ item: TextItem, _ bytes: UnsafeBufferPointer<UInt8>, in stack: FontStack
    ) {
        var offset = item.start
        while offset < item.end {
            let (scalar, next) = Itemiser.decode(bytes, at: offset)
            append(start: offset, advance: stack.character(scalar).advance)
            offset = next
        }
    }

    /// The glyphs that HarfBuzz left in its buffer.
    mutating func append(_ item: TextItem, reading buffer: OpaquePointer?, isRightToLeft: Bool) {
        var count: UInt32 = 0
        let context = request.isIsolated ? request.range.lowerBound : 0
        // Both belong to the buffer and are read before it changes.
        guard let glyphs = hb_buffer_get_glyph_infos(buffer, &count), count > 0,
            let positions = hb_buffer_get_glyph_positions(buffer, &count)
        else {
            append(start: item.start, advance: 0)
            return
        }
        let unsafe = HB_GLYPH_FLAG_UNSAFE_TO_BREAK.rawValue
        var index = isRightToLeft ? Int(count) - 1 : 0
        let step = isRightToLeft ? -1 : 1
        var left = Int(count)
        var isFirst = true
        while left > 0 {
            let cluster = glyphs[index].cluster
            var units: Int32 = 0
            var isSafe = true
            repeat {
                units &+= positions[index].x_advance
                if glyphs[index].mask & unsafe != 0 { isSafe = false }
                index += step
                left -= 1
            } while left > 0 && glyphs[index].cluster == cluster
            clusters.append(
                ShapedRun.Cluster(
                    start: isFirst ? Int32(item.start) : Int32(cluster) + Int32(context),
                    advance: Advance(shapingUnits: max(0, units)),
                    isSafeToCut: isFirst ? isStartSafe : isSafe))
            isFirst = false
        }
    }

    func finish() -> ShapedRun {
        ShapedRun(
            clusters: clusters, extent: extent ?? FontMetrics(ascent: .zero, descent: .zero),
            isContextFree: isContextFree)
    }

    /// Whether letters of a script take their shape from the letters beside them.
    private static func joins(_ script: UInt32) -> Bool {
        switch hb_script_t(rawValue: script) {
        case HB_SCRIPT_ARABIC, HB_SCRIPT_SYRIAC, HB_SCRIPT_MONGOLIAN, HB_SCRIPT_NKO,
            HB_SCRIPT_PHAGS_PA, HB_SCRIPT_MANDAIC, HB_SCRIPT_MANICHAEAN,
            HB_SCRIPT_PSALTER_PAHLAVI, HB_SCRIPT_ADLAM, HB_SCRIPT_HANIFI_ROHINGYA,
            HB_SCRIPT_SOGDIAN, HB_SCRIPT_OLD_UYGHUR, HB_SCRIPT_CHORASMIAN, HB_SCRIPT_INHERITED:
            true
        default: false
        }
    }
}
#endif
