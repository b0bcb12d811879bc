import RejoinContracts
import RejoinKit
import RejoinModel
import RejoinPipeline
import RejoinTransport
import RejoinWire

extension BrokenFake {
    static let credentials: [BrokenFake] = [
        provider("cannot renew", foundBy: "credentials.can-be-renewed") {
            (reason) throws(StompCredentialsFailure) in
            guard reason == .initial else {
                throw StompCredentialsFailure(isTransient: false, "sign in again")
            }
            return .bearer(token)
        },
        provider("reads its token with the line end", foundBy: "credentials.carries-no-line-ends") {
            _ in .bearer(token + "\n")
        },
        provider("names a header with a space", foundBy: "credentials.names-are-field-names") { _ in
            ChatCredentials(httpHeaders: ["Auth Token": token], stomp: StompCredentials())
        },
        provider(
            "tells its token in a failure", foundBy: "credentials.failures-show-nothing",
            also: ["credentials.can-be-renewed"]
        ) { (reason) throws(StompCredentialsFailure) in
            guard reason == .initial else {
                throw StompCredentialsFailure(isTransient: true, "\(token) was not renewed")
            }
            return .bearer(token)
        },
    ]

    private static let token = "s3cret-t0ken"

    private static func provider(
        _ name: String, foundBy check: String, also: Set<String> = [],
        _ give:
            @escaping @Sendable (StompCredentialsReason) throws(StompCredentialsFailure)
            -> ChatCredentials
    ) -> BrokenFake {
        BrokenFake(name, foundBy: check, also: also) {
            CredentialsContract.checks(BrokenProvider(give: give))
        }
    }

    static let selectors: [BrokenFake] = [
        selector("draws lots", foundBy: "selector.same-context-same-choice") {
            let count = Shared(0)
            return { _ in
                let turn = count.update { count in
                    count += 1
                    return count
                }
                return PipelineSelection(
                    turn.isMultiple(of: 2) ? .legacy : .refactored, reason: "SPLIT")
            }
        },
        selector(
            "names what nobody registered", foundBy: "selector.chooses-what-is-registered"
        ) { { _ in PipelineSelection(PipelineVariant("next"), reason: "SPLIT") } },
        selector("gives no reason", foundBy: "selector.says-why") {
            { _ in PipelineSelection(.legacy, reason: "") }
        },
    ]

    private static func selector(
        _ name: String, foundBy check: String,
        _ make: @escaping @Sendable () -> @Sendable (SelectionContext) -> PipelineSelection
    ) -> BrokenFake {
        BrokenFake(name, foundBy: check) {
            PipelineSelectorContract.checks(
                BrokenSelector(choose: make()), known: [.legacy, .refactored])
        }
    }
}

private struct BrokenProvider: ChatCredentialsProvider {
    let give: @Sendable (StompCredentialsReason) throws(StompCredentialsFailure) -> ChatCredentials

    func credentials(
        _ reason: StompCredentialsReason
    ) async throws(StompCredentialsFailure) -> ChatCredentials {
        try give(reason)
    }
}

private struct BrokenSelector: PipelineSelector {
    let choose: @Sendable (SelectionContext) -> PipelineSelection

    func selection(for context: SelectionContext) -> PipelineSelection { choose(context) }
}
