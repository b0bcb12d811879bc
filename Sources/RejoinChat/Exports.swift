// The umbrella: a host that writes `import RejoinChat` sees the modules whose values it handles,
// the layout of its rows and the fonts that measure and draw them included. `RejoinUIKit` is
// imported by its own name, by hosts that take its views; bots and hosts with a layout of their own
// import `RejoinKit` and the adapters that they use, and need no fonts.
//
// `@_exported` is underscored, but member look-up by `MemberImportVisibility` needs it, and the
// wide-spread umbrella modules rely on it too.

@_exported public import RejoinFlags
@_exported public import RejoinHTTP
@_exported public import RejoinKit
@_exported public import RejoinLayout
@_exported public import RejoinModel
@_exported public import RejoinPipeline
@_exported public import RejoinReadState
@_exported public import RejoinStore
@_exported public import RejoinSync
@_exported public import RejoinTime
@_exported public import RejoinTransport
@_exported public import RejoinTypography
@_exported public import RejoinWebSocket
@_exported public import RejoinWire
