/** What a fake person says, as the answer that a face would give. */
import { type Answer, ownIdentity, type Request, version } from "../../broker/index.js";

/** To an approval: `approve`, `deny`. To a question: what is chosen or written, or `decline`. A no may bring a note. */
export type FakeReply =
  | "approve"
  | "deny"
  | "decline"
  | { readonly no: string }
  /** The values of options. */
  | { readonly choose: readonly string[] }
  | { readonly write: string };

/** The answer to `request` in this process's name. What does not fit the kind of the request is not taken by the server. */
export function answerOf(request: Request, reply: FakeReply, now: number): Answer {
  const { pid, startedAt } = ownIdentity();
  return {
    v: 1,
    id: request.id,
    binding: request.binding,
    ...said(request, reply),
    via: "cli",
    answeredAt: now,
    by: { pid, startedAt, tty: null, version },
  };
}

type Said = Pick<Answer, "decision" | "scope" | "note" | "values" | "text">;

function said({ kind }: Pick<Request, "kind">, reply: FakeReply): Said {
  const none = { scope: null, note: null } as const;
  if (typeof reply !== "string") {
    if ("choose" in reply) return { ...none, decision: "answer", values: [...reply.choose] };
    if ("write" in reply) return { ...none, decision: "answer", text: reply.write };
    return { ...none, decision: kind === "question" ? "decline" : "deny", note: reply.no };
  }
  if (reply === "approve") return { ...none, decision: reply, scope: "once" };
  return { ...none, decision: reply };
}
