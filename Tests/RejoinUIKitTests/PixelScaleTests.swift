import Foundation
import RejoinLayout
import RejoinUIKit
import Testing

/// Points exist at the edge to the views alone (DESIGN section 8), and lead back to the same pixel.
@Suite("Points and device pixels")
struct PixelScaleTests {
    @Test("Every pixel comes back, at each scale and far down a long list", arguments: [1, 2, 3])
    func roundTrip(_ factor: Int32) {
        let scale = PixelScale(factor)
        for base in [Int64(0), 1_000, 20_000_000, 3_000_000_000] {
            for pixel in base - 700..<base + 700 {
                #expect(scale.pixels(scale.points(pixel)) == pixel)
            }
        }
    }

    @Test("A frame's stretch is the pixels of the rows in it, no more", arguments: [1, 2, 3])
    func stretch(_ factor: Int32) {
        let scale = PixelScale(factor)
        for top in Int32(-40)..<200 {
            let rect = PixelRect(x: 0, y: top, width: 10, height: 77)
            #expect(scale.stretch(of: scale.rect(rect)) == Int64(top)..<Int64(top + 77))
        }
        let half = CGRect(x: 0, y: 0.5, width: 1, height: 1)
        #expect(PixelScale(1).stretch(of: half) == 0..<2)
    }

    @Test("What is no place in a list is cut, and nothing traps")
    func odd() {
        let scale = PixelScale(0)
        #expect(scale.factor == 1)
        #expect(scale.pixels(.nan) == 0)
        #expect(scale.pixels(.infinity) == 1 << 53)
        #expect(scale.pixels(-.infinity) == -(1 << 53))
        let all = CGRect(
            x: 0, y: -CGFloat.greatestFiniteMagnitude, width: 1,
            height: CGFloat.greatestFiniteMagnitude)
        #expect(scale.stretch(of: all).lowerBound == -(1 << 53))
        #expect(scale.size(PixelSize(width: 3, height: 4)) == CGSize(width: 3, height: 4))
    }
}
