import RejoinTransport
import RejoinWebSocket
import Testing

/// Rows: callbacks that come twice, or after somebody has left.
@Suite("Waiting once")
struct OnceContinuationTests {
    @Test("the first answer counts, before or after the waiting")
    func first() async throws {
        let early = OnceContinuation<Int>()
        early.resume(.success(1))
        early.resume(.success(2))
        #expect(try await early.value() == 1)

        let late = OnceContinuation<Int>()
        try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask { try await late.value() }
            late.resume(.success(3))
            late.resume(.failure(WebSocketError(.closed, "again")))
            let value = try await group.next()
            #expect(value == 3)
        }
    }

    @Test("cancellation ends the waiting, and a later answer harms nobody")
    func cancelled() async {
        let never = OnceContinuation<Int>()
        let code = await withTaskGroup(of: WebSocketError.Code?.self) { group in
            group.addTask {
                do throws(WebSocketError) {
                    _ = try await never.value()
                    return nil
                } catch {
                    return error.code
                }
            }
            group.cancelAll()
            return await group.next() ?? nil
        }
        #expect(code == .cancelled)
        never.resume(.success(1))
    }
}

/// Opening is bounded, whatever hangs.
@Suite("Deadlines")
struct DeadlineTests {
    @Test("what does not end is given up with timed_out")
    func timeout() async {
        let never = OnceContinuation<Int>()
        let error = await #expect(throws: WebSocketError.self) {
            try await within(.now) { () throws(WebSocketError) in try await never.value() }
        }
        #expect(error?.code == .timedOut)
    }

    @Test("success and failure pass through")
    func passes() async throws {
        let value = try await within(.now + .seconds(60)) { () throws(WebSocketError) in 7 }
        #expect(value == 7)
        let error = await #expect(throws: WebSocketError.self) {
            try await within(.now + .seconds(60)) { () throws(WebSocketError) -> Int in
                throw WebSocketError(.tlsFailed, "test")
            }
        }
        #expect(error?.code == .tlsFailed)
    }
}
