internal import RejoinModel
internal import RejoinTime
internal import RejoinTransport

// The way between devices and the server.

extension World {
    /// How long something takes in one direction.
    func oneWay() -> Duration { networkRandom.milliseconds(options.latency) }

    // MARK: REST

    func send(_ request: Request) {
        let device = devices[request.device]
        statistics.requests += 1
        guard !device.isOffline else {
            let failure = BackendFailure(.unreachable, "the device is offline")
            return plan(.answer(request, .failure(failure)), in: .milliseconds(20))
        }
        plan(.request(request), in: oneWay())
    }

    // MARK: Opening and ending

    func open(_ epoch: ConnectionEpoch, of device: Device) {
        sockets += 1
        let socket = Socket(
            number: sockets, device: device.index, life: device.life, epoch: epoch,
            token: device.token)
        oracle.connecting(device, in: self)
        device.socket = socket
        guard !device.isOffline else { return plan(.ended(socket, Self.unreachable), in: oneWay()) }
        plan(.upgrade(socket), in: oneWay())
    }

    func opened(_ socket: Socket) {
        let device = devices[socket.device]
        guard device.socket === socket else {
            // The session gave this attempt up; it says so once more.
            return give(.stomp(.socketOpened(socket.epoch, subprotocol: "v12.stomp")), to: device)
        }
        socket.isOpenForClient = true
        give(.stomp(.socketOpened(socket.epoch, subprotocol: "v12.stomp")), to: device)
    }

    func ended(_ socket: Socket, _ error: WebSocketError) {
        let device = devices[socket.device]
        socket.isOpenForClient = false
        if device.socket === socket { device.socket = nil }
        give(.stomp(.socketFailed(socket.epoch, error)), to: device)
    }

    /// The device is done with a socket; the server learns of it, or it does not.
    func letGo(of socket: Socket) {
        let device = devices[socket.device]
        if device.socket === socket { device.socket = nil }
        socket.isOpenForClient = false
        guard !socket.isHalfOpen, !socket.isSilentToServer, !device.isOffline else { return }
        plan(.clientGone(socket), at: max(socket.serverFloor, now + oneWay()))
    }

    /// The server's end closes; the device learns of it after what was sent before.
    func close(_ socket: Socket, _ error: WebSocketError) {
        dropLink(socket)
        guard !socket.isHalfOpen, !socket.isSilentToClient else { return }
        plan(.ended(socket, error), at: max(socket.clientFloor, now + oneWay()))
    }

    func dropLink(_ socket: Socket) {
        socket.link = nil
        liveSockets.removeAll { $0 === socket }
    }

    static let unreachable = WebSocketError(.unreachable, "the host cannot be reached")

    static func closed(_ code: UInt16) -> WebSocketError {
        WebSocketError(.closed, "the connection ended", closeCode: code)
    }

    /// Whether all that the server sent has come through, and the device takes what follows soon.
    func isCarrying(_ socket: Socket) -> Bool {
        let device = devices[socket.device]
        return device.socket === socket && device.power == .running && !device.isOffline
            && !socket.isHalfOpen && !socket.isSilentToClient && !socket.isOverrun
            && socket.dripBytes == nil && socket.clientFloor <= now
    }

    // MARK: Bytes

    func transmit(_ message: WebSocketMessage, _ epoch: ConnectionEpoch, of device: Device) {
        guard let socket = device.socket, socket.epoch == epoch else { return }
        plan(.wrote(socket), in: .milliseconds(1))
        guard !socket.isHalfOpen else { return }
        if socket.isSilentToServer {
            socket.heldForServer.append(message.bytes)
            return
        }
        socket.serverFloor = max(socket.serverFloor, now + oneWay())
        plan(.toServer(socket, message.bytes), at: socket.serverFloor)
    }

    func ping(_ epoch: ConnectionEpoch, of device: Device) {
        guard let socket = device.socket, socket.epoch == epoch, !socket.isHalfOpen,
            !socket.isSilentToClient, !socket.isSilentToServer, socket.link != nil,
            !device.isOffline
        else { return }
        plan(.ponged(socket), in: oneWay() + oneWay())
    }

    func sendToClient(_ bytes: ContiguousArray<UInt8>, _ socket: Socket) {
        guard !socket.isHalfOpen else { return }
        if socket.isSilentToClient {
            socket.heldForClient.append(bytes)
            return
        }
        if socket.breaksMidFrame, bytes.count > 1 {
            socket.breaksMidFrame = false
            let cut = networkRandom.int(1...(bytes.count - 1))
            carry(ContiguousArray(bytes[..<cut]), socket)
            note("network", "socket \(socket.number) breaks after \(cut) of \(bytes.count) bytes")
            return close(socket, Self.closed(1006))
        }
        if let size = socket.dripBytes {
            return carry(bytes, in: size, every: .milliseconds(30), socket)
        }
        if networkRandom.chance(options.splits), bytes.count > 1 {
            return carry(
                bytes, in: max(1, networkRandom.int(1...bytes.count) / 2 + 1),
                every: .milliseconds(1), socket)
        }
        carry(bytes, socket)
    }

    private func carry(
        _ bytes: ContiguousArray<UInt8>, in size: Int, every pause: Duration, _ socket: Socket
    ) {
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + size)
            carry(ContiguousArray(bytes[start..<end]), socket, after: pause)
            start = end
        }
    }

    private func carry(
        _ bytes: ContiguousArray<UInt8>, _ socket: Socket, after pause: Duration = .zero
    ) {
        socket.clientFloor = max(socket.clientFloor + pause, now + oneWay())
        plan(.toClient(socket, bytes), at: socket.clientFloor)
    }

    func deliver(_ bytes: ContiguousArray<UInt8>, to socket: Socket) {
        // Also where the device has let go of it: what an old socket still says must do no harm.
        guard !socket.isHalfOpen else { return }
        give(.stomp(.received(socket.epoch, bytes)), to: devices[socket.device])
    }

    /// What was held back goes on its way.
    func release(_ socket: Socket) {
        socket.isSilentToClient = false
        socket.isSilentToServer = false
        let forClient = socket.heldForClient
        let forServer = socket.heldForServer
        socket.heldForClient = []
        socket.heldForServer = []
        for bytes in forServer {
            socket.serverFloor = max(socket.serverFloor, now + oneWay())
            plan(.toServer(socket, bytes), at: socket.serverFloor)
        }
        for bytes in forClient { carry(bytes, socket) }
        if socket.link == nil {
            plan(.ended(socket, Self.closed(1006)), at: max(socket.clientFloor, now + oneWay()))
        } else if !socket.isOpenForClient {
            plan(.clientGone(socket), at: max(socket.serverFloor, now + oneWay()))
        }
    }
}
