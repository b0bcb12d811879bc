#if canImport(Darwin)
/// The connector that works on this platform: `URLSessionWebSocketTask`.
public typealias PlatformWebSocketConnector = URLSessionConnector
#else
/// The connector that works on this platform: libwebsockets. (Foundation declares
/// `URLSessionWebSocketTask` on Linux too, but cannot connect: swift-corelibs-foundation 4730.)
public typealias PlatformWebSocketConnector = LibWebSocketsConnector
#endif
