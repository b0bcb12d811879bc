@_exported public import RejoinFlags
// The umbrella: a host that writes `import RejoinChat` sees the modules whose values it handles.
// `@_exported` is underscored, but member look-up by `MemberImportVisibility` needs it, and the
// wide-spread umbrella modules rely on it too.
@_exported public import RejoinHTTP
@_exported public import RejoinKit
@_exported public import RejoinModel
@_exported public import RejoinPipeline
@_exported public import RejoinReadState
@_exported public import RejoinStore
@_exported public import RejoinSync
@_exported public import RejoinTime
@_exported public import RejoinTransport
@_exported public import RejoinWebSocket
@_exported public import RejoinWire
