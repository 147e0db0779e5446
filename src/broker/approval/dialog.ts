/** The client's own dialog, as one way of asking. The approver knows nothing of the protocol behind it. */
import type { ApprovalRequest, QuestionRequest } from "../request/request.js";
import type { Scope } from "../request/scope.js";

/** What a client's dialog can ask. A fact waits for days: no call is there to show it. */
export type Askable = ApprovalRequest | QuestionRequest;

/** Handed in with each ask; an ask without one is answered through the channel alone. */
export interface Dialog<Asked extends Askable = ApprovalRequest> {
  /**
   * What a decline means that came before anybody could have read the question: the protocol's no, or, from a client
   * that is known to answer by itself, no more than that nobody was asked.
   */
  readonly unseenDecline: "decline" | "cancel";

  /**
   * Shows `request` to the person in the client. Resolves when the dialog's part is over; never rejects. When
   * `signal` aborts, the dialog is withdrawn on the wire at once, before this call's result goes out, and whatever
   * it says afterwards is ignored. `fault` is why no face has the request, safe to show: then this dialog alone can
   * decide, and names no other place to answer. Null where a face can answer too.
   */
  ask(request: Asked, signal: AbortSignal, fault: string | null): Promise<DialogAnswer>;
}

/** An answer to a question: the values of its options, each one that was offered, or a text. */
export type QuestionContent =
  | { readonly values: readonly string[]; readonly text: null }
  | { readonly values: null; readonly text: string };

/** What came back, and how long it had been there to be read, where the dialog knows that better than its asker. */
export type DialogAnswer = DialogMeaning & {
  /** In milliseconds. */
  readonly shownForMs?: number;
};

/** What came back, checked against what was shown. Only `approve`, `deny`, `answer` and a `decline` that was read decide. */
export type DialogMeaning =
  | { readonly kind: "approve"; readonly scope: Scope }
  /** The option that denies was chosen, so the form was there: a no, however soon it came. */
  | { readonly kind: "deny" }
  /** To a question: the values of what was chosen, or what was typed. */
  | ({ readonly kind: "answer" } & QuestionContent)
  /** The protocol's no, which a client can give without showing anything. */
  | { readonly kind: "decline" }
  /** Nobody said no; this way of asking is over. */
  | { readonly kind: "dismissed" }
  /** Something came back that is no answer; never an approval. */
  | { readonly kind: "invalid"; readonly why: string }
  /** The dialog could not be shown this time. */
  | { readonly kind: "failed"; readonly why: string }
  /** The client has no such dialog, whatever it declared. */
  | { readonly kind: "unsupported"; readonly why: string };
