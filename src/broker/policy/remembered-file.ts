/**
 * `remembered.json`: strict JSON, printed so that a person can read it. Invariant: a file of which anything is not as we
 * write it holds no rule at all.
 */
import { isAbsolute } from "node:path";
import { lineOfObjection } from "../files/json-places.js";
import { canonicalJson } from "../request/binding.js";
import { identifierSchema } from "../request/identifier.js";
import { assurances } from "../request/request.js";
import * as s from "../request/shape.js";
import { shownText } from "../request/shown.js";
import { parseStrictJson } from "../request/strict-json.js";
import type { RememberedRule } from "./remembered.js";

/** The name of the file in a home. */
export const rememberedFileName = "remembered.json";
/** Room for as many rules as are kept, each with its paths. */
export const largestRememberedBytes = 1024 * 1024;
/** More than anybody looks through; every one of them is compared with every command. */
export const mostRemembered = 1_000;

const text = s.string({ longest: 16 * 1024 });
const when = s.integer({ least: 0 });

const ruleSchema = s.strictObject({
  id: identifierSchema,
  rule: text,
  scope: s.oneOf(["project", "always"] as const),
  directory: s.nullable(text),
  program: s.nullable(text),
  programIdentity: s.nullable(text),
  askedBy: s.nullable(text),
  client: text,
  request: identifierSchema,
  via: text,
  assurance: s.nullable(s.oneOf(assurances)),
  createdAt: when,
  expiresAt: when,
});

const fileSchema = s.strictObject({
  permissions: s.strictObject({ remembered: s.array(ruleSchema) }),
});

/** The rules of a text in its order, or why it holds none. `fault` is for a person and safe to show. */
export type RememberedText =
  | { readonly rules: readonly RememberedRule[] }
  | { readonly fault: string; readonly line: number | null };

/** Why a text holds none, with its place as those of all files of rules: `remembered.json:3: …`. */
export function placedFault({ fault, line }: Extract<RememberedText, { fault: string }>): string {
  return line === null ? fault : `${rememberedFileName}:${line}: ${fault}`;
}

/** Reads a whole file. Never throws. */
export function parseRemembered(bytes: Uint8Array): RememberedText {
  const json = parseStrictJson(bytes);
  if (!json.ok) {
    const text = Buffer.from(bytes).toString("utf8");
    return { fault: json.objection, line: lineOfObjection(text, json.objection) };
  }
  const parsed = fileSchema.safeParse(json.value);
  if (!parsed.success) return notAsWritten(parsed.problem, bytes);
  const rules = parsed.data.permissions.remembered;
  if (rules.length > mostRemembered) return { fault: `more than ${mostRemembered} rules`, line: null };
  const seen = new Set<string>();
  for (const rule of rules) {
    if (seen.has(rule.id)) return { fault: `two rules are called ${rule.id}`, line: lineOf(rule.id, bytes) };
    seen.add(rule.id);
    const objection = objectionTo(rule);
    if (objection !== null) return { fault: `${rule.id}: ${objection}`, line: lineOf(rule.id, bytes) };
  }
  return { rules };
}

/** The text of a file with these rules. */
export function rememberedText(rules: readonly RememberedRule[]): string {
  return `${JSON.stringify({ permissions: { remembered: rules } }, null, 2)}\n`;
}

/** Two entries are the same when they have the same key: all that stands in them, whatever the order. */
export function keyOf(rule: RememberedRule): string {
  return canonicalJson(rule);
}

/** The line, from 1, on which the entry of `id` names itself; null where none does. */
export function lineOf(id: string, bytes: Uint8Array): number | null {
  const lines = Buffer.from(bytes).toString("utf8").split("\n");
  const index = lines.findIndex((line) => line.includes(`"${id}"`));
  return index === -1 ? null : index + 1;
}

function objectionTo({ scope, directory, program, rule }: RememberedRule): string | null {
  if (rule === "") return "rule is empty";
  if ((directory === null) !== (scope === "always")) return "directory does not fit scope";
  if (directory !== null && !isAbsolute(directory)) return "directory is not an absolute path";
  return program !== null && !isAbsolute(program) ? "program is not an absolute path" : null;
}

function notAsWritten({ path, unknownKey }: s.Problem, bytes: Uint8Array): RememberedText {
  const place = [...path, ...(unknownKey === null ? [] : [unknownKey])].map(shownText).join(".");
  const what = unknownKey === null ? "is not as wisp writes it" : "is no key";
  const [, , index] = path;
  const id = index === undefined ? null : idAt(Number(index), bytes);
  return {
    fault: `${place === "" ? "the file" : place} ${what}`,
    line: id === null ? null : lineOf(id, bytes),
  };
}

/** The id of an entry that is not as we write it, where it has one. */
function idAt(index: number, bytes: Uint8Array): string | null {
  const whole = JSON.parse(Buffer.from(bytes).toString("utf8")) as {
    readonly permissions?: { readonly remembered?: readonly { readonly id?: unknown }[] };
  };
  const id = whole.permissions?.remembered?.[index]?.id;
  return typeof id === "string" ? id : null;
}
