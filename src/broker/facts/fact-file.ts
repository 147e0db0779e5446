/** `facts/<place>/<id>.json`: a fact that a person kept or dropped, under its seal. It is never rewritten. */
import { readJson } from "../files/read.js";
import { vias } from "../request/answer.js";
import { identifierSchema } from "../request/identifier.js";
import { hashSchema } from "../request/long-text.js";
import { assurances, formatVersion } from "../request/request.js";
import { isSealedWith, type Keys, sealOf } from "../request/seal.js";
import * as s from "../request/shape.js";
import { parseStrictJson } from "../request/strict-json.js";
import { type DecidedBy, type DroppedFact, factScopes, type KeptFact } from "./fact-store.js";

/**
 * The key of these seals, and what stands before the bytes that they cover. What is forgotten has another: moved back to
 * where it counted, or copied from there, a file is none of ours.
 */
const labels = { decided: "wisp/fact/v1", forgotten: "wisp/forgotten-fact/v1" } as const;
/** Does a fact count, or is it only still there to be read? */
export type SealedAs = keyof typeof labels;

/** In bytes. What our servers file is less than half of it, however its characters are written. */
const longestFact = 64 * 1024;

const moment = s.integer({ least: 0 });

const proposedBySchema = s.strictObject({
  client: s.nullable(s.strictObject({ name: s.string(), version: s.string() })),
  caller: s.string(),
  thread: s.nullable(s.string()),
  session: s.string(),
  at: moment,
});

const decidedBySchema = s.strictObject({
  via: s.oneOf(vias),
  answer: hashSchema,
  assurance: s.oneOf(assurances),
  by: s.strictObject({ pid: s.integer({ least: 1 }), tty: s.nullable(s.string()) }),
  session: s.string(),
  at: moment,
});

const shared = {
  v: s.literal(formatVersion),
  id: identifierSchema,
  subject: s.string(),
  name: s.string(),
  value: s.string(),
  source: s.nullable(s.string()),
  directory: s.nullable(s.string()),
  proposedBy: proposedBySchema,
  mac: hashSchema,
};

/** A fact's whole file, which of the two its `kind` says: no other key is taken. */
export const factFileSchema = s.choice("kind", {
  kept: s.strictObject({
    ...shared,
    kind: s.literal("kept"),
    scope: s.oneOf(factScopes),
    keptBy: decidedBySchema,
  }),
  dropped: s.strictObject({
    ...shared,
    kind: s.literal("dropped"),
    isForGood: s.boolean,
    droppedBy: decidedBySchema,
  }),
});

/** What was decided about it, with all that was decided. */
export type FiledFact =
  | { readonly kind: "kept"; readonly fact: KeptFact }
  | { readonly kind: "dropped"; readonly fact: DroppedFact };

/**
 * What reading a file came to. `foreign`: nothing that this home sealed; `isLasting`, as long as the file is what it is.
 * `unread`: the system does not let us, and why.
 */
export type FactRead =
  | { readonly kind: "fact"; readonly filed: FiledFact }
  | { readonly kind: "missing" }
  | { readonly kind: "foreign"; readonly isLasting: boolean }
  | { readonly kind: "unread"; readonly errno: string };

/** The text of a fact's file. Throws an Error for what no file may hold: nobody could read it back. */
export async function factText(filed: FiledFact, as: SealedAs, keys: Keys): Promise<string> {
  const sealed = sealedPart(filed);
  const file = { ...sealed, mac: sealOf(labels[as], sealed, await keys.derivedKey(labels[as])) };
  const text = JSON.stringify(factFileSchema.parse(file));
  const bytes = Buffer.from(text, "utf8");
  const isWhole = bytes.length <= longestFact && parseStrictJson(bytes).ok;
  if (!isWhole || !hasPlace(filed)) throw new TypeError("This fact cannot be kept in a file.");
  return text;
}

/** Reads the file `path` of the fact `id`. Throws what `keys` throws: without its secret a home cannot say what is its own. */
export function readFact(path: string, id: string, as: SealedAs, keys: Keys): FactRead {
  const result = readJson(path, longestFact);
  if (result.kind === "missing") return result;
  if (result.kind === "refused") {
    const [, errno] = /^cannot be read \((.*)\)$/.exec(result.objection) ?? [];
    return errno === undefined ? foreign : { kind: "unread", errno };
  }
  const parsed = factFileSchema.safeParse(result.value);
  // A copy under another name would be another fact.
  if (!parsed.success || parsed.data.id !== id) return foreign;
  const { mac, ...sealed } = parsed.data;
  const key = keys.existingKey(labels[as]);
  // The secret may come with the next fact that is kept.
  if (key === null) return { kind: "foreign", isLasting: false };
  if (!isSealedWith(labels[as], sealed, mac, key)) return foreign;
  const { v: _version, kind, ...fact } = sealed;
  // The choice is what ties the kind to its own fields, which the type system cannot see.
  return { kind: "fact", filed: { kind, fact } as FiledFact };
}

const foreign = { kind: "foreign", isLasting: true } as const;

/** Holds it somewhere? A project is its directory. */
function hasPlace({ kind, fact }: FiledFact): boolean {
  return kind === "dropped" || fact.scope === "global" || fact.directory !== null;
}

/** Every field that is not the seal, and no other that a caller's object holds. */
function sealedPart({ kind, fact }: FiledFact) {
  const { id, subject, name, value, source, directory } = fact;
  const { client, caller, thread, session, at } = fact.proposedBy;
  const proposedBy = {
    client: client && { name: client.name, version: client.version },
    caller,
    thread,
    session,
    at,
  };
  const words = { v: formatVersion, id, subject, name, value, source, directory, proposedBy };
  return kind === "kept"
    ? { ...words, kind, scope: fact.scope, keptBy: decidedPart(fact.keptBy) }
    : { ...words, kind, isForGood: fact.isForGood, droppedBy: decidedPart(fact.droppedBy) };
}

function decidedPart({ via, answer, assurance, by: { pid, tty }, session, at }: DecidedBy): DecidedBy {
  return { via, answer, assurance, by: { pid, tty }, session, at };
}
