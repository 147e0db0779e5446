/** The closed list of codes. `docs/errors.md` is generated from it and a test holds the two together. */
import { type ErrorFacts, type ThrownCode, thrownCodes } from "./errors.js";

/** How calls end, as results of tools tell it: values, and never thrown. */
const toldCodes = {
  approval_denied: {
    retryable: false,
    recovery: "Do not retry this call; where there is a note, do what it says instead.",
  },
  approval_declined: {
    retryable: false,
    recovery: "Do not retry this call; ask the person what to do instead.",
  },
  approval_not_obtained: {
    retryable: true,
    recovery: "Nobody said no. Ask the person to approve, then make the same call again.",
  },
  approval_pending: {
    retryable: true,
    recovery: "A person has been asked. Say so, then repeat exactly this call to wait for the answer.",
  },
  approval_timed_out: {
    retryable: false,
    recovery: "Nobody answered; this is not a no. Tell the person; do not try another way.",
  },
  approval_abandoned: { retryable: false, recovery: "The caller cancelled the call; nothing ran." },
  approval_withdrawn: { retryable: true, recovery: "The server stopped asking; make the same call again." },
  approval_unavailable: {
    retryable: true,
    recovery: "Asking a person did not work. Tell the person to run: wisp doctor",
  },
  already_decided: {
    retryable: false,
    recovery: "An identical call got the approval and has the result; read it there.",
  },
  fact_dropped: {
    retryable: false,
    recovery: "The person does not want to keep it; do not ask for it again.",
  },
  rate_limited: {
    retryable: false,
    recovery: "Do not repeat it: say it in your reply instead, and do not look for another way.",
  },
  read_only_mode: {
    retryable: false,
    recovery:
      "The gate was started read-only: this tool is not proven to change nothing. Do not look for another way.",
  },
} as const satisfies Record<string, ErrorFacts>;

/** What programs branch on. */
export type ErrorCode = ThrownCode | keyof typeof toldCodes;

/** All of them: what each code stands for. */
export const errorCodes: Readonly<Record<ErrorCode, ErrorFacts>> = { ...toldCodes, ...thrownCodes };
