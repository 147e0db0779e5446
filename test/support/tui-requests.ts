/** Requests for tests of the full-screen face, and what else waits beside approvals. */

import type { LateRequest } from "../../src/broker/index.js";
import { composeRequest } from "../../src/broker/request/binding.js";
import type { Receipt } from "../../src/broker/request/receipt.js";
import type {
  ApprovalRequest,
  FactRequest,
  QuestionRequest,
  Request,
} from "../../src/broker/request/request.js";
import { approvalRequest, commandSubject, filingFacts } from "./builders.js";
import { factDraft, questionDraft } from "./request-kinds.js";
import { wallZero } from "./tui-events.js";

type Approval = Parameters<typeof approvalRequest>[0];

/** A request to run `line` whose id, age and rest a test may choose. */
export function toRun(
  line: string,
  overrides: Approval = {},
  facts: Parameters<typeof approvalRequest>[1] = {},
): ApprovalRequest {
  return approvalRequest(
    { subject: commandSubject({ line, argv: null, command: line }), ...overrides },
    facts,
  );
}

/** The word to type is `main`. */
export function dangerous(overrides: Approval = {}): ApprovalRequest {
  return toRun("git push --force origin main", { level: "dangerous", ...overrides });
}

/** `count` requests of one thread, `everyMs` apart; each runs a line of its own. */
export function manyOf(
  thread: string | null,
  count: number,
  everyMs: number,
  from = wallZero,
): readonly ApprovalRequest[] {
  return Array.from({ length: count }, (_, index) =>
    toRun(`echo ${thread} ${index}`, { thread }, { createdAt: from + index * everyMs }),
  );
}

type FactDraft = Parameters<typeof factDraft>[0];
type QuestionDraft = Parameters<typeof questionDraft>[0];
type Facts = Parameters<typeof filingFacts>[0];

/** A fact to keep, of which a test may choose the words, who asks and when. */
export function factToKeep(
  words: Partial<FactRequest["fact"]> = {},
  overrides: FactDraft = {},
  facts: Facts = {},
): FactRequest {
  const { fact, ...rest } = factDraft({ expiresAt: wallZero + 600_000, ...overrides });
  return composeRequest({ ...rest, fact: { ...fact, ...words } }, filingFacts(facts)) as FactRequest;
}

/** A question with two options, of which a test may choose everything. */
export function toAnswer(
  question: Partial<QuestionRequest["question"]> = {},
  overrides: QuestionDraft = {},
  facts: Facts = {},
): QuestionRequest {
  const draft = questionDraft({ expiresAt: wallZero + 600_000, ...overrides }, question);
  return composeRequest(draft, filingFacts(facts)) as QuestionRequest;
}

/** A fact to keep, or a question. */
export function otherKind(kind: "fact" | "question"): Request {
  return kind === "fact" ? factToKeep() : toAnswer();
}

/** The receipt of `request`, given in a terminal a while after it was asked. */
export function receiptOf(
  { id, kind }: Pick<Request, "id" | "kind">,
  given: Pick<Receipt, "via" | "decision" | "scope"> & Partial<Receipt>,
): Receipt {
  return {
    v: 1,
    id,
    kind,
    outcome: "answered",
    note: null,
    answer: null,
    verified: { terminal: true, ancestry: true, signed: null },
    at: wallZero,
    seconds: 12,
    ran: null,
    reveal: null,
    mac: null,
    ...given,
  };
}

/** `request` after it timed out, while it may still be answered. */
export function ended(request: ApprovalRequest): LateRequest {
  return {
    request,
    how: "timed_out",
    toldMsAgo: null,
    bound: { directory: "/home/p/api" } as LateRequest["bound"],
    life: {} as LateRequest["life"],
  };
}
