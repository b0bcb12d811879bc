import RejoinModel
import RejoinTime
import Synchronization

/// The way between a device and a ``ModelBackend``, in virtual time: slow, lossy, down or sound, as
/// a seed and the test say.
package final class ModelNetwork: Sendable {
    /// What becomes of one request.
    enum Fate {
        case arrives
        /// The request does not get there.
        case requestLost
        /// The request gets there; its answer does not come back.
        case answerLost
        /// The server has no time now.
        case refused
    }

    private struct State {
        var random: SeededGenerator
        var isDown = false
        var isLossy = true
        var peers: [ScriptedPeer] = []
        var overlaps = 0
    }

    let time: VirtualTime
    private let state: Mutex<State>

    /// Creates a network that loses a part of the requests until it is healed.
    package init(time: VirtualTime, seed: UInt64) {
        self.time = time
        state = Mutex(State(random: SeededGenerator(seed: seed)))
    }

    // MARK: For the test

    /// Breaks every socket.
    package func drop() {
        for peer in state.withLock({ $0.peers }) { peer.breakOff() }
    }

    /// Makes every socket half-open: it stays, and nothing answers any more.
    package func goSilent() {
        for peer in state.withLock({ $0.peers }) { peer.goSilent() }
    }

    /// Whether anything gets through.
    package func setDown(_ isDown: Bool) {
        state.withLock { $0.isDown = isDown }
        if isDown { goSilent() }
    }

    /// From now on nothing is lost.
    package func heal() {
        state.withLock { state in
            state.isDown = false
            state.isLossy = false
        }
    }

    /// How often a socket was opened while another one of the same device was still open.
    package var overlaps: Int { state.withLock { $0.overlaps } }

    // MARK: For the fakes

    var isDown: Bool { state.withLock { $0.isDown } }

    func opened(_ peer: ScriptedPeer) {
        state.withLock { state in
            state.peers.removeAll(where: \.isOver)
            if !state.peers.isEmpty { state.overlaps += 1 }
            state.peers.append(peer)
        }
    }

    /// Waits as long as one way takes.
    func travel() async throws {
        let way = state.withLock { Int.random(in: 1...($0.isLossy ? 400 : 50), using: &$0.random) }
        try await time.sleep(for: .milliseconds(way))
    }

    func drawFate() -> Fate {
        state.withLock { state in
            guard !state.isDown else { return .requestLost }
            guard state.isLossy else { return .arrives }
            switch Int.random(in: 0..<12, using: &state.random) {
            case 0: return .requestLost
            case 1: return .answerLost
            case 2: return .refused
            default: return .arrives
            }
        }
    }
}
