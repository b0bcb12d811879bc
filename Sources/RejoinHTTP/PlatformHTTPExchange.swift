#if canImport(CCurl)
/// The exchange that works on this platform: libcurl. (URLSession on Linux ends the process when a
/// peer hangs up in the middle of an answer's header: `NativeProtocol.swift`, "Transfer completed,
/// but there's no response".)
public typealias PlatformHTTPExchange = CurlExchange
#else
/// The exchange that works on this platform: URLSession.
public typealias PlatformHTTPExchange = URLSessionExchange
#endif
