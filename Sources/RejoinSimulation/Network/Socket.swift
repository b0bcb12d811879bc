internal import RejoinTime
internal import RejoinTransport

/// One WebSocket between a device and the server: bytes in order, both ends with a view of their
/// own whether it still lives.
final class Socket {
    let number: Int
    let device: Int
    let life: Int
    let epoch: ConnectionEpoch
    /// The token shown at the upgrade and in CONNECT.
    let token: Int

    /// The device's view.
    var isOpenForClient = false
    /// The server's end; `nil` once the server has let go.
    var link: ServerLink?

    /// Nothing that was sent later arrives before these instants.
    var clientFloor = Instant.origin
    var serverFloor = Instant.origin

    /// Nothing goes through any more, and nobody is told.
    var isHalfOpen = false
    /// What the server sends is held back on the way.
    var isSilentToClient = false
    /// What the device sends is held back on the way.
    var isSilentToServer = false
    var heldForClient: [ContiguousArray<UInt8>] = []
    var heldForServer: [ContiguousArray<UInt8>] = []
    /// Bytes come a few at a time.
    var dripBytes: Int?
    /// The next message is cut in its midst, and the socket breaks there.
    var breaksMidFrame = false
    /// The server loses what it would send: the client is too slow for its buffers.
    var isOverrun = false

    init(number: Int, device: Int, life: Int, epoch: ConnectionEpoch, token: Int) {
        self.number = number
        self.device = device
        self.life = life
        self.epoch = epoch
        self.token = token
    }
}
