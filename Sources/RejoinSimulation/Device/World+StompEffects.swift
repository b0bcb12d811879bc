internal import RejoinKit
internal import RejoinModel
internal import RejoinPipeline
internal import RejoinSync
internal import RejoinTime
internal import RejoinTransport
internal import RejoinWire

// What a device's transport wants done.

extension World {
    func execute(_ effect: StompSession.Effect, in device: Device) {
        switch effect {
        case .requestCredentials(let epoch, let reason):
            plan(
                .credentials(device: device.index, life: device.life, epoch, reason),
                in: oneWay())
        case .open(let epoch, _): open(epoch, of: device)
        case .transmit(let epoch, let message): transmit(message, epoch, of: device)
        case .ping(let epoch): ping(epoch, of: device)
        case .close(let epoch, _), .abandon(let epoch):
            guard let socket = device.socket, socket.epoch == epoch else { return }
            letGo(of: socket)
        case .setTimer(let deadline):
            device.stompTimer = deadline
            guard let deadline else { return }
            plan(
                .stompTimer(device: device.index, life: device.life, deadline), at: deadline)
        case .status(let status):
            device.status = status
            note(device, "connection: \(status.story)")
            if case .connected = status { device.hasRenewedToken = false }
            // A fresh token that expires at once is refused for good, as a login is.
            if case .stopped(.failed(let error)) = status, error.code == .unauthorized,
                device.hasRenewedToken, !server.revoked[device.index]
            {
                plan(.life(device: device.index, .signIn), in: .seconds(5))
            }
        case .phase(let key, let phase):
            guard let room = device.room(of: key) else { return }
            note(device, "\(room.id): subscription \(phase.story)")
            switch phase {
            case .assumed: room.isAssumed = true
            case .pending, .confirmed: room.isAssumed = false
            default: break
            }
            guard let input = RoomInput(phase) else { return }
            give(.room(room.index, input), to: device)
        case .message(let message): take(message, of: device)
        case .complete(let id, let outcome): complete(id, outcome, of: device)
        case .report(let report): note(device, "report: \(report.story)")
        }
    }

    func credentials(
        _ device: Device, _ epoch: ConnectionEpoch, _ reason: StompCredentialsReason
    ) {
        if device.isSignInDown {
            let failure = StompCredentialsFailure(
                isTransient: true, "the sign-in service does not answer")
            return give(.stomp(.credentialsFailed(epoch, failure)), to: device)
        }
        if reason == .expired {
            device.token = server.tokens[device.index]
            device.hasRenewedToken = true
        }
        give(.stomp(.credentialsReady(epoch, StompCredentials())), to: device)
    }

    private func take(_ message: StompMessage, of device: Device) {
        guard let room = device.room(of: message.subscription), !room.isEnded else { return }
        let index = room.index
        guard device.overflowing == 0 else {
            device.overflowing -= 1
            note(device, "\(room.id): has no place for what comes")
            return give(.room(index, .subscription(.overflowed)), to: device)
        }
        var body = message.body
        if device.garbled > 0 {
            device.garbled -= 1
            body.removeLast(body.count / 2)
        }
        do throws(WireError) {
            let event = try format.decodeEvent(body, at: format.destination(of: room.id))
            note(device, "\(room.id): hears \(event.story)")
            give(.room(index, .event(event)), to: device)
        } catch {
            room.droppedAt = now
            note(device, "\(room.id): hears something unreadable")
            give(.room(index, .unreadableEvent), to: device)
        }
    }

    private func complete(_ id: StompRequestID, _ outcome: StompOutcome, of device: Device) {
        guard let place = device.sends.firstIndex(where: { $0.id == id }) else { return }
        let send = device.sends.remove(at: place)
        let room = device.rooms[send.room]
        guard room.opening == send.opening, !room.isEnded else { return }
        switch outcome {
        case .succeeded:
            if send.isSend { tellGuard(of: nil, room, device) }
            give(.room(send.room, .performed(send.attempt, .success(.accepted))), to: device)
        case .failed(let error):
            let failure = BackendFailure(error)
            if send.isSend { tellGuard(of: failure, room, device) }
            give(.room(send.room, .performed(send.attempt, .failure(failure))), to: device)
        }
    }
}
