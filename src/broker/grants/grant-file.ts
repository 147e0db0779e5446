/** `grants/<id>.json`: an unspent approval under its seal, or the handle of a session's rule. */
import { lutimesSync } from "node:fs";
import { join } from "node:path";
import { fileNameOf } from "../files/home-place.js";
import { lookAt } from "../files/look.js";
import { readJson, sizeLimits } from "../files/read.js";
import { type Answer, answerSchema, objectionTo } from "../request/answer.js";
import { bindingOf } from "../request/binding.js";
import { identifierSchema } from "../request/identifier.js";
import { hashSchema } from "../request/long-text.js";
import { type ApprovalRequest, formatVersion, type Request, requestSchema } from "../request/request.js";
import { isSealed, type Keys, sealOf } from "../request/seal.js";
import * as s from "../request/shape.js";
import { boundPart, boundSchema } from "./bound.js";
import type { Life, SessionRule, UnspentApproval } from "./grant-store.js";
import { lifePart, lifeSchema, passedMs } from "./life.js";

/** The key of these seals, and what stands before the bytes that they cover. */
export const grantLabel = "wisp/grant/v1";

/** In bytes: a whole request, a whole answer, and what stands around them. */
const longestGrant = sizeLimits.request + sizeLimits.answer + 16 * 1024;

const unspentSchema = s.strictObject({
  v: s.literal(formatVersion),
  kind: s.literal("unspent"),
  id: identifierSchema,
  from: s.nullable(identifierSchema),
  bound: boundSchema,
  life: lifeSchema,
  request: requestSchema,
  answer: answerSchema,
  mac: hashSchema,
});

const sessionSchema = s.strictObject({
  v: s.literal(formatVersion),
  kind: s.literal("session"),
  id: identifierSchema,
  rule: s.string(),
  client: s.string(),
  directory: s.nullable(s.string()),
  request: identifierSchema,
  server: s.strictObject({
    pid: s.integer({ least: 1 }),
    startedAt: s.string(),
    boot: s.string(),
    instance: s.string({ pattern: /^[a-z0-9]{16}$/ }),
  }),
  life: lifeSchema,
  idleMs: s.integer({ least: 0 }),
});

/** A grant's whole file: no other key is taken. */
export const grantSchema = s.choice("kind", { unspent: unspentSchema, session: sessionSchema });

/** What a file holds. Whether the seal is ours is not looked at yet. */
export type GrantFile =
  | { readonly kind: "unspent"; readonly approval: UnspentApproval; readonly mac: string }
  | { readonly kind: "session"; readonly rule: SessionRule };

/** The grant called `id` in `directory`, or null when nothing that can be read as one is there. */
export function readGrant(directory: string, id: string): GrantFile | null {
  const path = join(directory, fileNameOf(id));
  const result = readJson(path, longestGrant);
  if (result.kind !== "value") return null;
  const parsed = grantSchema.safeParse(result.value);
  // A copy under another name would be another approval.
  if (!parsed.success || parsed.data.id !== id) return null;
  if (parsed.data.kind === "session") {
    const { v: _version, kind, idleMs, ...rule } = parsed.data;
    return { kind, rule: { ...rule, idle: idleOf(rule.life, idleMs, path) } };
  }
  const { v: _version, kind, mac, request, ...rest } = parsed.data;
  return isApproved(request, rest.answer) ? { kind, mac, approval: { ...rest, request } } : null;
}

/** The text of an approval's file. */
export function approvalText(approval: UnspentApproval, key: Uint8Array): string {
  const sealed = sealedPart(approval);
  return JSON.stringify({ ...sealed, mac: sealOf(grantLabel, sealed, key) });
}

/** The text of the file of a session's rule. */
export function ruleText({ idle, ...rule }: SessionRule): string {
  return JSON.stringify({ v: formatVersion, kind: "session", ...rule, idleMs: idle.forMs });
}

/**
 * Makes the modification time of the file of a rule say when it was used: so long after `life.from.at` as has passed
 * since by the clock that counts for its life. That a wall clock was set changes nothing then.
 */
export function noteUse(directory: string, { id, life, idle }: SessionRule): void {
  const seconds = (life.from.at + (passedMs(life.from, idle.from) ?? 0)) / 1_000;
  try {
    lutimesSync(join(directory, fileNameOf(id)), seconds, seconds);
  } catch {
    // It was taken away: then the next use finds that out. Else the rule seems to end sooner than it does.
  }
}

function idleOf({ from }: Life, forMs: number, path: string): Life {
  const usedAt = Number(lookAt(path)?.mtimeMs ?? from.at);
  const usedMs = Math.max(0, Math.round(usedAt) - from.at);
  return { from: { boot: from.boot, uptimeMs: from.uptimeMs + usedMs, at: from.at + usedMs }, forMs };
}

/** Is the approval, as it stands in the file, what a process with our secret kept? */
export function isOurs(approval: UnspentApproval, mac: string, keys: Keys): boolean {
  return isSealed(grantLabel, sealedPart(approval), mac, keys);
}

/** Does the answer approve the request, which is as it was filed? */
export function isApproved(request: Request, answer: Answer): request is ApprovalRequest {
  return (
    request.kind === "approval" &&
    answer.decision === "approve" &&
    bindingOf(request) === request.binding &&
    objectionTo(answer, request) === null
  );
}

/** Every field that is not the seal. */
function sealedPart({ id, from, bound, life, request, answer }: UnspentApproval) {
  const parts = { bound: boundPart(bound), life: lifePart(life), request, answer };
  return { v: formatVersion, kind: "unspent", id, from, ...parts };
}
