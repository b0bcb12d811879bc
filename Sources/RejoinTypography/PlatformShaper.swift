#if canImport(CoreText)
/// The shaper that works on this platform: CoreText.
public typealias PlatformShaper = CoreTextShaper
#elseif canImport(CPango)
/// The shaper that works on this platform: Pango and HarfBuzz.
public typealias PlatformShaper = PangoShaper
#endif
