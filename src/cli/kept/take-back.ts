/** Taking back what a yes left behind: it lets no call through any more. The safe direction, so one is taken back at once. */
import { join } from "node:path";
import {
  type AuditEvent,
  isWider,
  revokedEvent,
  type Scope,
  scopes,
  shellQuoted,
  shortestPrefix,
  shownText,
  type Testimony,
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

/** What was seen of this process, which takes something back; whatever it is, nothing is refused for it. */
export type SeenTaking = (kept: Pick<Kept, "home">) => Testimony["seen"];

/** Takes back the one that `typed` means: its id, or four or more characters that begin it alone. */
export async function revokeOne(
  typed: string,
  kept: Kept,
  look: SeenTaking,
  terminal: Terminal,
): Promise<number> {
  const listing = leftBehind(kept);
  const granted = revocableIn(listing, kept.remembered.revocable(), kept.moment());
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
  const isTaken = isWider(one.scope)
    ? await kept.remembered.revoke(one.id)
    : await kept.grants.revoke(one.id);
  if (!isTaken) {
    return refuse("answer_exists", terminal, {
      what: `${one.id} was used, or taken back elsewhere, in this moment.`,
      why: null,
      fix: list,
    });
  }
  await writeDown([one], kept, look);
  const { out } = terminal;
  out.write(talked(out, `revoked (${one.scope}): ${grantText(one)}; it lets no call through any more\n`));
  return isWider(one.scope) ? reportFaulty(listing.rules.fault, kept, terminal) : exits.done;
}

/** Takes back all there are, after a y. */
export async function clearAll(kept: Kept, look: SeenTaking, terminal: Terminal): Promise<number> {
  const listing = leftBehind(kept);
  const granted = revocableIn(listing, kept.remembered.revocable(), kept.moment());
  terminal.err.write(besidesGranted(listing));
  if (granted.length === 0) {
    terminal.err.write("Nothing is granted.\n");
    return reportFaulty(listing.rules.fault, kept, terminal);
  }
  const interrupted = terminal.interruption();
  const question = `Type y and Enter to revoke ${countText(granted)}; anything else leaves them: `;
  const typed = await terminal.readLine(question, interrupted);
  if (interrupted.aborted || typed?.trim().toLowerCase() !== "y") {
    complain(terminal, { what: "Nothing was revoked.", why: null, fix: null });
    return interrupted.aborted ? exits.interrupted : exits.notApproved;
  }
  const revoked: Granted[] = [];
  for (const one of granted) if (!isWider(one.scope) && (await kept.grants.revoke(one.id))) revoked.push(one);
  await writeDown(revoked, kept, look);
  // All at once, and also what was remembered while the question stood there.
  const rules = granted.some(({ scope }) => isWider(scope)) ? await kept.remembered.clear() : [];
  await writeDown(rules, kept, look);
  revoked.push(...rules);
  const done = revoked.length === 0 ? "nothing" : countText(revoked);
  terminal.out.write(talked(terminal.out, `revoked ${done}\n`));
  const missed = granted.filter(({ id }) => revoked.every((one) => one.id !== id)).length;
  if (missed > 0) terminal.err.write(`Used, or taken back elsewhere, in this moment: ${missed}\n`);
  return reportFaulty(listing.rules.fault, kept, terminal);
}

/** It cannot be used any more, written down or not. */
async function writeDown(
  taken: readonly Granted[],
  { audit, home }: Pick<Kept, "audit" | "home">,
  look: SeenTaking,
): Promise<void> {
  const wider = taken.filter(({ scope }) => isWider(scope));
  const verified = wider.length === 0 ? {} : look({ home });
  const events = taken.map(({ id, request, rule, scope }): AuditEvent => {
    if (!isWider(scope)) return revokedEvent(id, request);
    const details = { rule: id, text: rule, why: "person" } as const;
    return { kind: "rule.revoked", call: request, verified, details };
  });
  if (events.length > 0) await audit.append(events, "plain").catch(() => {});
}

/** The exit code: 78 where the file stays as it is, because nothing can be taken out of it. */
function reportFaulty(fault: string | null, { home }: Pick<Kept, "home">, terminal: Terminal): number {
  if (fault === null) return exits.done;
  complain(terminal, {
    what: `remembered.json was left as it is: ${shownText(fault)}`,
    why: "What was taken back has no seal any more: it stays taken back, whatever the file says.",
    fix: `Correct ${shellQuoted(join(home.path, "remembered.json"))}, or remove it.`,
  });
  return exits.faulty;
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
