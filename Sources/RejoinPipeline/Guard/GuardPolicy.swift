/// When a rollout guard takes the refactored pipeline back by itself.
public struct GuardPolicy: Hashable, Sendable {
    /// The length of one window of observation.
    public var window: Duration = .seconds(300)
    /// How many recoveries, or sends, a window must have before its share says anything.
    public var minimumSample = 20
    /// The share of recoveries that left a hole which the server could have filled, in thousandths,
    /// from which a window is ill.
    public var unfilledGapLimit = 100
    /// The share of sends that failed on our side or the server's, in thousandths, from which a
    /// window is ill.
    public var failedSendLimit = 100
    /// How many ill windows in a row take the pipeline back. A window whose shares are below half
    /// of the limits ends the row; one in between leaves it as it is.
    public var illWindows = 2
    /// How many divergences of shadow comparisons take the pipeline back, in any time.
    public var divergenceLimit = 1
    /// A foreground run that ends without the background within this time is a short one.
    public var shortRun: Duration = .seconds(60)
    /// How many short runs in a row take the pipeline back.
    public var shortRunLimit = 3

    /// Creates the policy above.
    public init() {}
}
