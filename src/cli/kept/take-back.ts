/** Taking back what a yes left behind: it lets no call through any more. The safe direction, so one is taken back at once. */
import {
  type AuditEvent,
  isWider,
  revokedEvent,
  type Scope,
  scopes,
  shortestPrefix,
} from "../../broker/index.js";
import { matching } from "../../face/find.js";
import type { Kept } from "../../face/kept.js";
import { quoted, wispLine } from "../../face/quote.js";
import { reportMissing, reportNoId } from "../choose.js";
import { exits } from "../exits.js";
import { complain, refuse } from "../report.js";
import { talked } from "../talk.js";
import type { Terminal } from "../terminal.js";
import { besidesGranted, type Granted, grantText, leftBehind, revocableIn } from "./granted.js";

/** Takes back the one that `typed` means: its id, or four or more characters that begin it alone. */
export async function revokeOne(typed: string, kept: Kept, terminal: Terminal): Promise<number> {
  const granted = revocableIn(leftBehind(kept), kept.moment());
  const all = granted.map(({ id }) => id);
  const isPrefix = new RegExp(`^[a-z0-9]{${shortestPrefix},32}$`).test(typed);
  const list = wispLine(terminal.environment, ["approvals", "granted"]);
  if (!isPrefix) return reportNoId(typed, "What is granted has the ids that granted lists.", list, terminal);
  const ids = matching(all, typed);
  if (ids.length > 1) return reportMissing(typed, { kind: "ambiguous", ids }, terminal);
  const one = granted.find(({ id }) => id === ids[0]);
  if (one === undefined) {
    return refuse("request_unknown", terminal, {
      what: `Nothing that is called ${quoted(typed)} is granted.`,
      why: "It was used or taken back, its time is over, or it never was.",
      fix: list,
    });
  }
  if (!(await takeBack(one, kept))) {
    return refuse("answer_exists", terminal, {
      what: `${one.id} was used, or taken back elsewhere, in this moment.`,
      why: null,
      fix: list,
    });
  }
  const { out } = terminal;
  out.write(talked(out, `revoked (${one.scope}): ${grantText(one)}; it lets no call through any more\n`));
  return exits.done;
}

/** Takes back all there are, after a y. */
export async function clearAll(kept: Kept, terminal: Terminal): Promise<number> {
  const listing = leftBehind(kept);
  const granted = revocableIn(listing, kept.moment());
  terminal.err.write(besidesGranted(listing));
  if (granted.length === 0) {
    terminal.err.write("Nothing is granted.\n");
    return exits.done;
  }
  const interrupted = terminal.interruption();
  const question = `Type y and Enter to revoke ${countText(granted)}; anything else leaves them: `;
  const typed = await terminal.readLine(question, interrupted);
  if (interrupted.aborted || typed?.trim().toLowerCase() !== "y") {
    complain(terminal, { what: "Nothing was revoked.", why: null, fix: null });
    return interrupted.aborted ? exits.interrupted : exits.notApproved;
  }
  const revoked: Granted[] = [];
  for (const one of granted) if (await takeBack(one, kept)) revoked.push(one);
  const done = revoked.length === 0 ? "nothing" : countText(revoked);
  terminal.out.write(talked(terminal.out, `revoked ${done}\n`));
  const missed = granted.length - revoked.length;
  if (missed > 0) terminal.err.write(`Used, or taken back elsewhere, in this moment: ${missed}\n`);
  return exits.done;
}

async function takeBack(
  { id, request, rule, scope }: Granted,
  { grants, remembered, audit }: Kept,
): Promise<boolean> {
  if (isWider(scope)) {
    if (!(await remembered.revoke(id))) return false;
    const event: AuditEvent = {
      kind: "rule.revoked",
      call: request,
      verified: {},
      details: { rule: id, text: rule, why: "person" },
    };
    await audit.append([event], "plain").catch(() => {});
    return true;
  }
  if (!(await grants.revoke(id))) return false;
  // It cannot be used any more, written down or not.
  await audit.append([revokedEvent(id, request)], "plain").catch(() => {});
  return true;
}

const reaches = {
  once: "for one call",
  session: "for a session",
  project: "for a project",
  always: "for always",
} as const satisfies Record<Scope, string>;

/** `3: 2 for one call, 1 for a session` */
function countText(granted: readonly Granted[]): string {
  const parts = scopes
    .map((scope) => ({ scope, count: granted.filter((one) => one.scope === scope).length }))
    .filter(({ count }) => count > 0)
    .map(({ scope, count }) => `${count} ${reaches[scope]}`);
  return `${granted.length} (${parts.join(", ")})`;
}
