internal import RejoinModel
internal import RejoinPipeline
internal import RejoinTime
internal import RejoinTransport

extension Fault {
    /// What goes wrong between a device and the server.
    static let network: [Fault] = [
        .once("reset", weight: 3) { world, random in
            if let socket = world.socket(&random) { world.close(socket, World.closed(1006)) }
        },
        .once("reset in mid-frame", weight: 2) { world, random in
            world.socket(&random)?.breaksMidFrame = true
        },
        .once("half-open socket", weight: 2) { world, random in
            world.socket(&random)?.isHalfOpen = true
        },
        Fault("silence to the device", lasting: 2...60) { world, random in
            guard let socket = world.socket(&random) else { return nil }
            socket.isSilentToClient = true
            return { $0.release(socket) }
        },
        Fault("silence to the server", lasting: 2...60) { world, random in
            guard let socket = world.socket(&random) else { return nil }
            socket.isSilentToServer = true
            return { $0.release(socket) }
        },
        Fault("slow drip", lasting: 5...30) { world, random in
            guard let socket = world.socket(&random) else { return nil }
            socket.dripBytes = random.int(8...64)
            return { world in
                socket.dripBytes = nil
                // What has piled up would go on dripping for minutes: such a connection breaks.
                if socket.clientFloor > world.now + .seconds(5) {
                    socket.clientFloor = world.now
                    world.close(socket, World.closed(1006))
                }
            }
        },
        Fault("no network", weight: 2, lasting: 1...90) { world, random in
            let device = world.device(&random)
            let isBroken = random.chance(60)
            let isTold = random.chance(70)
            device.isOffline = true
            let socket = device.socket
            socket?.isSilentToClient = true
            socket?.isSilentToServer = true
            if isTold {
                world.give(.stomp(.networkPathChanged(isSatisfied: false)), to: device)
            }
            return { world in
                device.isOffline = false
                if let socket {
                    if isBroken { socket.isHalfOpen = true } else { world.release(socket) }
                }
                guard isTold else { return }
                world.networkRestored(device)
            }
        },
        Fault("flapping network", lasting: 5...20) { world, random in
            let device = world.device(&random)
            for _ in 0..<random.int(3...15) {
                world.give(.stomp(.networkPathChanged(isSatisfied: false)), to: device)
                world.networkRestored(device)
            }
            return nil
        },
        .once("garbage from the server") { world, random in
            guard let socket = world.socket(&random), socket.link != nil else { return }
            let bytes = ContiguousArray(
                (0..<random.int(1...40)).map { _ in UInt8(random.int(1...255)) })
            world.sendToClient(bytes, socket)
        },
        .once("unreadable event", weight: 2) { world, random in
            guard let socket = world.socket(&random), let link = socket.link,
                !link.subscriptions.isEmpty
            else { return }
            world.devices[socket.device].garbled += random.int(1...3)
        },
        .once("buffer overflow on the device", weight: 2) { world, random in
            world.device(&random).overflowing += random.int(1...5)
        },
    ]
}

extension World {
    /// As the client does when the system says that the network is back.
    func networkRestored(_ device: Device) {
        let life = device.life
        give(.stomp(.networkPathChanged(isSatisfied: true)), to: device)
        guard device.power == .running else { return }
        for index in device.roomsByPriority where device.life == life {
            give(.room(index, .trigger(.networkRestored)), to: device)
        }
    }
}
