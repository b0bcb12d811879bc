import RejoinContracts
import RejoinModel
import Testing

/// One thing that a backend gets wrong, while it declares that it keeps everything.
struct BackendFault: Sendable, CustomTestStringConvertible {
    let name: String
    /// The check that must find it.
    let check: String
    /// Further checks that may find it: one fault can break several promises.
    let also: Set<String>
    /// Makes an honest backend break one rule.
    let breaking: @Sendable (inout BackendUnderTest) -> Void

    init(
        _ name: String, foundBy check: String, also: Set<String> = [],
        breaking: @escaping @Sendable (inout BackendUnderTest) -> Void
    ) {
        self.name = name
        self.check = "backend.\(check)"
        self.also = Set(also.map { "backend.\($0)" })
        self.breaking = breaking
    }

    /// A fault in how calls are performed.
    static func calls(
        _ name: String, foundBy check: String, also: Set<String> = [],
        _ make: @escaping @Sendable () -> HookedAccount.Call
    ) -> BackendFault {
        hooks(name, foundBy: check, also: also) {
            let call = make()
            return { $0.call = call }
        }
    }

    /// A fault in what is answered.
    static func answers(
        _ name: String, foundBy check: String, also: Set<String> = [],
        _ change: @escaping @Sendable (BackendCall, inout BackendAnswer) -> Void
    ) -> BackendFault {
        calls(name, foundBy: check, also: also) {
            { (call, base) async throws(BackendFailure) in
                var answer = try await base.perform(call)
                change(call, &answer)
                return answer
            }
        }
    }

    /// A fault in pages of history.
    static func pages(
        _ name: String, foundBy check: String, also: Set<String> = [],
        _ change: @escaping @Sendable (HistoryAnchor, Int, inout HistoryPage) -> Void
    ) -> BackendFault {
        answers(name, foundBy: check, also: also) { call, answer in
            guard case .history(_, let anchor, let limit) = call,
                case .history(var page) = answer
            else { return }
            change(anchor, limit, &page)
            answer = .history(page)
        }
    }

    /// A fault in how events are delivered.
    static func events(
        _ name: String, foundBy check: String, also: Set<String> = [],
        _ change: @escaping @Sendable (Int, RoomEvent) -> [RoomEvent]
    ) -> BackendFault {
        hooks(name, foundBy: check, also: also) {
            { account in
                account.subscribe = { room, connection, deliver in
                    let count = Shared(0)
                    return try await connection.subscribe(to: room) { event in
                        let number = count.update { count in
                            count += 1
                            return count
                        }
                        for event in change(number, event) { deliver(event) }
                    }
                }
            }
        }
    }

    /// A fault of all members' accounts, whose state they share.
    static func hooks(
        _ name: String, foundBy check: String, also: Set<String> = [],
        _ make: @escaping @Sendable () -> @Sendable (inout HookedAccount) -> Void
    ) -> BackendFault {
        BackendFault(name, foundBy: check, also: also) { backend in
            let hook = make()
            var first = HookedAccount(base: backend.first)
            hook(&first)
            backend.first = first
            guard let base = backend.second else { return }
            var second = HookedAccount(base: base)
            hook(&second)
            backend.second = second
        }
    }

    var testDescription: String { name }
}
