/** `remembered.json` as it stands, against what was accepted of it, entry by entry. */
import { join } from "node:path";
import { type AcceptChange, type AcceptProposal, digestOf } from "../files/proposal.js";
import { readBytes } from "../files/read.js";
import { readAccepted } from "../files/sealed.js";
import type { Keys } from "../request/seal.js";
import type { RememberedRule } from "./remembered.js";
import {
  keyOf,
  largestRememberedBytes,
  lineOf,
  parseRemembered,
  placedFault,
  rememberedFileName,
  rememberedText,
} from "./remembered-file.js";
import { policyFault } from "./rules.js";

/** Reads both once. Never throws for what stands in the files. */
export function rememberedProposal(home: string, keys: Pick<Keys, "existingKey">): AcceptProposal {
  const path = join(home, rememberedFileName);
  const accepted = readAccepted(home, rememberedFileName, keys);
  const before = accepted.kind === "accepted" && typeof accepted.value === "string" ? accepted.value : null;
  const distrust = accepted.kind === "untrusted" ? accepted.reason : null;
  const unchanged = {
    name: rememberedFileName,
    changes: [],
    distrust,
    rewritten: null,
    before: digestOf(before),
  } as const;
  const read = readBytes(path, largestRememberedBytes);
  if (read.kind === "refused") {
    const fault = policyFault(rememberedFileName, path, [read.objection]);
    return { ...unchanged, fault, value: null, after: null };
  }
  const bytes = read.kind === "missing" ? null : read.bytes;
  const text = bytes === null ? null : Buffer.from(bytes).toString("utf8");
  const after = digestOf(text);
  const current = bytes === null ? { rules: [] } : parseRemembered(bytes);
  if ("fault" in current) {
    const fault = policyFault(rememberedFileName, path, [placedFault(current)]);
    return { ...unchanged, fault, value: text, after };
  }
  const old = before === null ? { rules: [] } : parseRemembered(Buffer.from(before, "utf8"));
  const sealed = "rules" in old ? old.rules : [];
  const changes = changesBetween(sealed, current.rules, bytes ?? new Uint8Array());
  const under = new Set(sealed.map(keyOf));
  if (current.rules.every((rule) => under.has(keyOf(rule))))
    return { ...unchanged, fault: null, changes, value: text, after };
  const rewritten = rememberedText(
    current.rules.map((rule) => (under.has(keyOf(rule)) ? rule : asAccepted(rule))),
  );
  return { ...unchanged, fault: null, changes, value: rewritten, rewritten, after: digestOf(rewritten) };
}

/** Who answered which request is only ours to say: whoever wrote the entry could name anybody. */
function asAccepted(rule: RememberedRule): RememberedRule {
  return { ...rule, client: "accept", request: rule.id, via: "accept", assurance: null };
}

function changesBetween(
  accepted: readonly RememberedRule[],
  current: readonly RememberedRule[],
  bytes: Uint8Array,
): readonly AcceptChange[] {
  const before = new Map(accepted.map((rule) => [rule.id, keyOf(rule)]));
  const after = new Set(current.map(({ id }) => id));
  const gone = accepted.filter(({ id }) => !after.has(id));
  const changed = current.filter((rule) => before.get(rule.id) !== keyOf(rule));
  return [
    ...gone.map((rule) => ({ ...entryOf(rule), sign: "-" as const, line: null, effect: "tighter" as const })),
    ...changed.map((rule) => {
      // Nobody can say of two rules which lets more through.
      const changed = { sign: "~", effect: "unclear" } as const;
      const added = { sign: "+", effect: "looser" } as const;
      return { ...entryOf(rule), ...(before.has(rule.id) ? changed : added), line: lineOf(rule.id, bytes) };
    }),
  ];
}

function entryOf(rule: RememberedRule): Pick<AcceptChange, "list" | "text" | "details"> {
  const { directory, program, programIdentity, askedBy, createdAt, expiresAt } = rule;
  const until = (at: number): string => (at <= latestDate ? new Date(at).toISOString() : "the end of time");
  return {
    list: "remembered",
    text: rule.rule,
    details: [
      directory === null ? "in every directory" : `in ${directory}`,
      ...(program === null ? [] : [`runs ${program}`]),
      ...(programIdentity === null ? [] : [`as long as that file is ${programIdentity}`]),
      ...(askedBy === null ? [] : [`when ${askedBy} asks`]),
      `from ${until(createdAt)} until ${until(expiresAt)}`,
    ],
  };
}

/** The last moment that JavaScript has a date for. */
const latestDate = 8_640_000_000_000_000;
