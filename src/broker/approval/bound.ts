/** What a yes is bound to: everything that a call must have in common with the one that was approved. */

import type { Bound } from "../grants/grant-store.js";
import { callLine } from "../request/call-line.js";
import { isStateBound, type Likeness } from "../request/likeness.js";
import type { ApprovalRequest, Subject } from "../request/request.js";
import type { Ask } from "./approver.js";

/** `likeness` is that of the ask's subject. */
export function boundOf({ subject, client, caller, bound }: Ask, likeness: Likeness): Bound {
  return {
    client: `${caller}:${client?.name ?? ""}`,
    role: bound.role,
    server: bound.server,
    directory: subject.type === "command" ? subject.directory : "",
    subject: likeness.subject,
    definition: subject.type === "tool" ? subject.definitionHash : null,
    state: likeness.state,
  };
}

/** Who asked through what. Of what one caller was told or given, another has nothing. */
export function callerOf({ client, role, server }: Bound): string {
  return JSON.stringify([client, role, server]);
}

/** May a person still say yes to this when it has ended? Hours later the target must show that it is the same. */
export function canBeAnsweredLate({ level, subject }: Pick<ApprovalRequest, "level" | "subject">): boolean {
  switch (level) {
    case "low":
    case "moderate":
      return true;
    case "high":
      return isStateBound(subject);
    case "dangerous":
      return false;
    default:
      return level satisfies never;
  }
}

/** What a yes for the session allows, in the words in which it was shown. */
export function ruleOf(subject: Subject): string {
  switch (subject.type) {
    case "command":
      return subject.pattern ?? (typeof subject.line === "string" ? subject.line : subject.line.head);
    case "tool":
      return `${callLine(subject)}${isStateBound(subject) ? ", while what it touches stays as it was" : ""}`;
    case "permission":
      return subject.tool;
    default:
      return subject satisfies never;
  }
}
