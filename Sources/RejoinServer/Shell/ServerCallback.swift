#if os(Linux)
import CLibWebSockets

/// What libwebsockets calls, always on the service thread: hands the events that matter to the
/// engine.
func serverCallback(
    _ wsi: OpaquePointer?, _ reason: lws_callback_reasons, _ user: UnsafeMutableRawPointer?,
    _ input: UnsafeMutableRawPointer?, _ length: Int
) -> Int32 {
    switch reason {
    case LWS_CALLBACK_USER:
        guard let user else { return 0 }
        engine(at: user).assumeIsolated { $0.alarmRang() }
        return 0
    case LWS_CALLBACK_FILTER_NETWORK_CONNECTION, LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED,
        LWS_CALLBACK_HTTP, LWS_CALLBACK_HTTP_BODY, LWS_CALLBACK_HTTP_BODY_COMPLETION,
        LWS_CALLBACK_HTTP_WRITEABLE, LWS_CALLBACK_HTTP_CONFIRM_UPGRADE,
        LWS_CALLBACK_ESTABLISHED, LWS_CALLBACK_RECEIVE, LWS_CALLBACK_SERVER_WRITEABLE,
        LWS_CALLBACK_TIMER, LWS_CALLBACK_CLOSED, LWS_CALLBACK_CLOSED_HTTP,
        LWS_CALLBACK_RAW_RX, LWS_CALLBACK_WSI_DESTROY:
        guard let wsi, let user = rejoin_server_user(wsi) else { return 0 }
        // Both are lent for the time of this call, which runs on the engine's own thread; the
        // compiler cannot know that `assumeIsolated` leaves nothing behind.
        nonisolated(unsafe) let connection = wsi
        nonisolated(unsafe) let bytes = UnsafeRawBufferPointer(start: input, count: length)
        return engine(at: user).assumeIsolated { $0.handle(reason, on: connection, bytes) }
    default:
        // The rest is libwebsockets' own business, or a client's, which we are not.
        return 0
    }
}

/// The engine whose context calls; it destroys its context before it goes away.
private func engine(at pointer: UnsafeMutableRawPointer) -> ServerEngine {
    Unmanaged<ServerEngine>.fromOpaque(pointer).takeUnretainedValue()
}
#endif
