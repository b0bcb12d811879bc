internal import RejoinModel
internal import RejoinPipeline
internal import RejoinSync
internal import RejoinTime
internal import RejoinTransport

/// One thing that is to happen at an instant of virtual time.
///
/// Whatever belongs to a process carries its life: after a kill it concerns nobody. Indirect, so
/// that the queue moves one word for each, and not the room of the largest.
indirect enum Happening {
    // People and faults

    /// The person on a device does something.
    case act(device: Int)
    /// Somebody without a device does something.
    case othersAct
    /// The app's life goes on.
    case life(device: Int, LifeStep)
    /// A planned fault strikes.
    case strike(Int)
    /// A fault's time is over.
    case undo(Int)

    // A device

    /// The socket's timer is due.
    case stompTimer(device: Int, life: Int, Instant)
    /// A room's timer is due.
    case roomTimer(device: Int, life: Int, room: Int, RoomTimer, Instant)
    /// The store has executed the oldest commit of a room.
    case stored(device: Int, life: Int, room: Int)
    /// The provider answers.
    case credentials(device: Int, life: Int, ConnectionEpoch, StompCredentialsReason)
    /// The time for closing a room is over.
    case closingOver(device: Int, life: Int, room: Int, opening: Int)
    /// The host opens a closed room again.
    case reopening(device: Int, life: Int, room: Int)
    /// The host looks whether a room that was refused can be had again.
    case readmission(device: Int, life: Int, room: Int)
    /// The time for suspending is over.
    case suspensionOver(device: Int, life: Int)
    /// The device learns that the choice of pipelines may have changed.
    case selectionChanged(device: Int, life: Int)

    /// The device's guard writes its files.
    case guardWork(device: Int, life: Int)
    /// The guard's timer is due.
    case guardTimer(device: Int, life: Int, Instant)
    /// The app crashes, if the refactored pipeline serves.
    case crash(device: Int, life: Int)

    // REST

    /// A request reaches the server.
    case request(Request)
    /// Its answer reaches the device.
    case answer(Request, Request.Outcome)

    // Sockets

    /// An upgrade reaches the server.
    case upgrade(Socket)
    /// The upgrade's answer reaches the device.
    case opened(Socket)
    /// The upgrade was refused, or the socket ended; the device learns of it.
    case ended(Socket, WebSocketError)
    /// Bytes reach the server.
    case toServer(Socket, ContiguousArray<UInt8>)
    /// Bytes reach the device.
    case toClient(Socket, ContiguousArray<UInt8>)
    /// The socket has taken a message.
    case wrote(Socket)
    /// A pong reaches the device.
    case ponged(Socket)
    /// The server learns that the device is gone.
    case clientGone(Socket)
    /// The server looks after a connection: heart-beats.
    case linkTick(Socket)

    // The server

    /// An event reaches those who are subscribed, unless the server went down in between.
    case publish(room: Int, RoomEvent, incarnation: Int)
    /// A message that drew its ID earlier becomes visible.
    case lateCommit(room: Int, MessageID, Reply?)
}

/// The steps of an app's life.
enum LifeStep {
    /// The process starts, after a kill or for the first time.
    case start
    /// The person opens the app.
    case foreground
    /// The person leaves it.
    case background
    /// The device wakes up.
    case wake
    /// The system freezes the process, if it is in the background.
    case freeze
    /// A push notification names a room.
    case push(room: Int)
    /// The person signs in anew, as the server has refused the login.
    case signIn
}
