internal import RejoinModel
internal import RejoinReadState
internal import RejoinSync

/// A request by REST: values instead of JSON, because decoding is checked elsewhere and costs most.
struct Request {
    let device: Int
    let life: Int
    let room: Int
    /// The opening of the room that it belongs to.
    let opening: Int
    /// The day on which it left: nothing is on its way for a day.
    var era: Int
    let kind: Kind
    /// The token that it shows.
    var token: Int
    /// Whether the token was renewed for it already.
    var isRenewed = false

    enum Kind {
        case fetch(RequestID, HistoryRequest)
        case summary
        case perform(Outbox.AttemptID, Mutation)
        case report(ReadSync.AttemptID, ReadMark, unread: Bool)
    }

    enum Payload {
        case history(HistoryAnswer)
        case mutation(MutationAnswer)
        case read(ReadAnswer)
    }

    typealias Outcome = Result<Payload, BackendFailure>

    /// The acknowledgements that can be lost, each by itself.
    enum Acknowledgement: Int, CaseIterable {
        case send, edit, delete, reaction, read

        init?(_ kind: Kind) {
            switch kind {
            case .fetch, .summary: return nil
            case .report: self = .read
            case .perform(_, let mutation): self.init(mutation)
            }
        }

        init(_ mutation: Mutation) {
            self =
                switch mutation {
                case .send: .send
                case .edit: .edit
                case .delete: .delete
                case .react: .reaction
                }
        }
    }
}

/// Who waits for a mutation's fate.
enum Reply {
    case rest(Request)
    case receipt(Socket, String)
}
