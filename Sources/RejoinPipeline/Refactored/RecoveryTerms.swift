internal import RejoinSync

// The pipeline's terms and the recovery's, which knows nothing of pipelines.

extension RecoveryInput {
    init(_ phase: SubscriptionPhase) {
        self =
            switch phase {
            case .lost: .subscriptionLost
            case .pending: .subscribing
            case .confirmed: .subscribed
            case .assumed: .subscriptionAssumed
            case .proven: .subscriptionProven
            case .overflowed: .eventsDropped
            }
    }
}

extension RecoveryTimer {
    init(_ timer: PipelineTimer) {
        self =
            switch timer {
            case .retry: .retry
            case .confirmTail: .confirmTail
            case .reorder: .reorder
            case .settle: .settle
            }
    }
}

extension PipelineTimer {
    init(_ timer: RecoveryTimer) {
        self =
            switch timer {
            case .retry: .retry
            case .confirmTail: .confirmTail
            case .reorder: .reorder
            case .settle: .settle
            }
    }
}

extension PipelineMetric {
    init(_ metric: RecoveryMetric) {
        self =
            switch metric {
            case .duplicateSuppressed: .duplicateSuppressed
            case .bufferOverflow: .bufferOverflow
            case .gapDetected: .gapDetected
            case .gapFilled: .gapFilled
            case .phantomRemoved: .phantomRemoved
            }
    }
}
