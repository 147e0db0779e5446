/**
 * The shapes of the format once more, written with zod: what the quick ones in src are held to. Nothing of src but
 * constants is used, so that a mistake there shows here.
 */
import * as z from "zod/mini";
import { decisions, longestNote, vias } from "../../src/broker/request/answer.js";
import { shortfalls } from "../../src/broker/request/assurance.js";
import { receiptOutcomes } from "../../src/broker/request/outcome.js";
import { assurances, formatVersion, kinds, levels } from "../../src/broker/request/request.js";
import { scopes } from "../../src/broker/request/scope.js";

const longTextBytes = 16 * 1024;
const scopeSchema = z.enum(scopes);
const identifierSchema = z.string().check(z.regex(/^[a-z0-9]{8,32}$/));
const hashSchema = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const endSchema = z.string().check(z.maxLength(1_000));
const longTextSchema = z.strictObject({
  bytes: z.int().check(z.minimum(longTextBytes + 1), z.maximum(16 * 1024 * 1024)),
  sha256: hashSchema,
  head: endSchema,
  tail: endSchema,
});
const textSchema = z.union([z.string(), longTextSchema]);

const text = z.string();
const maybeText = z.nullable(text);
const count = z.int().check(z.minimum(0));
const decimal = z.string().check(z.regex(/^[0-9]{1,20}$/));
const base64url32 = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/));

const fileIdentity = z.strictObject({
  path: text,
  device: decimal,
  inode: decimal,
  size: count,
  mtime: decimal,
});
const directoryIdentity = z.strictObject({ device: decimal, inode: decimal });
const state = z.union([
  z.literal("none"),
  z.strictObject({ bound: z.array(z.strictObject({ target: text, fingerprint: text })) }),
]);

const commandSubject = z.strictObject({
  type: z.literal("command"),
  line: textSchema,
  argv: z.nullable(z.array(textSchema).check(z.minLength(1))),
  command: textSchema,
  directory: text,
  pattern: maybeText,
  program: z.nullable(fileIdentity),
  directoryIdentity: z.nullable(directoryIdentity),
  state: z.nullable(state),
});

const previewText = z.strictObject({ bytes: count, sha256: hashSchema, text: maybeText });

const toolSubject = z.strictObject({
  type: z.literal("tool"),
  server: text,
  serverIdentity: text,
  tool: text,
  title: maybeText,
  description: z.nullable(z.string().check(z.maxLength(4_000))),
  arguments: z.record(z.string(), z.unknown()),
  argumentsHash: hashSchema,
  meta: z.nullish(z.record(z.string(), z.unknown())),
  definitionHash: hashSchema,
  definition: z.nullable(z.strictObject({ before: text, after: text })),
  preview: z.nullable(
    z.array(
      z.strictObject({
        target: text,
        kind: z.enum(["replace", "create", "delete"]),
        before: z.nullable(previewText),
        after: z.nullable(previewText),
      }),
    ),
  ),
  state,
});

const permissionSubject = z.strictObject({
  type: z.literal("permission"),
  tool: text,
  input: z.record(z.string(), z.unknown()),
  toolUseId: maybeText,
});

const subjectSchema = z.discriminatedUnion("type", [commandSubject, toolSubject, permissionSubject]);

const serverIdentity = z.strictObject({
  pid: z.int().check(z.positive()),
  startedAt: text,
  boot: text,
  instance: z.string().check(z.regex(/^[a-z0-9]{16}$/)),
});

const shared = {
  v: z.literal(formatVersion),
  id: identifierSchema,
  createdAt: count,
  expiresAt: z.nullable(count),
  says: maybeText,
  client: z.nullable(z.strictObject({ name: text, version: text })),
  caller: text,
  thread: maybeText,
  server: serverIdentity,
  nonce: base64url32,
  receiptCommit: hashSchema,
  binding: hashSchema,
};

const offerSchema = z.strictObject({ rule: text, matches: maybeText, misses: maybeText });

const approvalSchema = z.strictObject({
  ...shared,
  kind: z.literal("approval"),
  subject: subjectSchema,
  level: z.enum(levels),
  reasons: z.array(text),
  rule: maybeText,
  scopes: z.array(scopeSchema).check(z.minLength(1)),
  remember: z.nullish(
    z.strictObject({
      offers: z.array(offerSchema).check(z.minLength(1)),
      days: z.int().check(z.minimum(1)),
    }),
  ),
  assurance: z.enum(assurances),
});

const factSchema = z.strictObject({
  ...shared,
  kind: z.literal("fact"),
  fact: z.strictObject({
    subject: text,
    name: text,
    value: text,
    source: maybeText,
    directory: maybeText,
    similar: z.array(z.strictObject({ id: text, value: text })),
  }),
});

const questionSchema = z.strictObject({
  ...shared,
  kind: z.literal("question"),
  question: z.strictObject({
    text,
    options: z.nullable(z.array(z.strictObject({ value: text, label: text, description: maybeText }))),
    multiple: z.boolean(),
    allowText: z.boolean(),
    directory: maybeText,
  }),
});

export const requestSchema = z.discriminatedUnion("kind", [approvalSchema, factSchema, questionSchema]);

const bySchema = z.strictObject({
  pid: z.int().check(z.positive()),
  startedAt: z.string(),
  tty: z.nullable(z.string()),
  version: z.string(),
});

const freeText = z.string().check(z.maxLength(longestNote));

export const answerSchema = z.strictObject({
  v: z.literal(formatVersion),
  id: identifierSchema,
  binding: hashSchema,
  decision: z.enum(decisions),
  scope: z.nullish(scopeSchema),
  rule: z.nullish(z.string()),
  downgradedFrom: z.nullish(scopeSchema),
  note: z.nullish(freeText),
  values: z.nullish(z.array(freeText)),
  text: z.nullish(freeText),
  via: z.enum(vias),
  answeredAt: z.int().check(z.minimum(0)),
  by: bySchema,
  signature: z.nullish(
    z.strictObject({ key: z.string(), value: z.string().check(z.regex(/^[A-Za-z0-9_-]{86}$/)) }),
  ),
});

const seen = z.nullable(z.boolean());
const verifiedSchema = z.strictObject({ terminal: seen, ancestry: seen, signed: seen });
export const receiptSchema = z.strictObject({
  v: z.literal(formatVersion),
  id: identifierSchema,
  kind: z.enum(kinds),
  outcome: z.enum(receiptOutcomes),
  via: z.nullable(z.enum(vias)),
  decision: z.nullable(z.enum(decisions)),
  scope: z.nullable(scopeSchema),
  note: z.nullable(z.string()),
  answer: z.nullable(hashSchema),
  verified: z.nullable(verifiedSchema),
  at: z.int().check(z.minimum(0)),
  seconds: z.number().check(z.minimum(0)),
  ran: z.nullable(z.boolean()),
  reveal: z.nullable(z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/))),
  mac: z.nullable(hashSchema),
});

export const refusalSchema = z.strictObject({
  v: z.literal(formatVersion),
  id: identifierSchema,
  answer: hashSchema,
  shortfall: z.enum(shortfalls),
});

const pid = z.int().check(z.positive());

export const serverRecordSchema = z.strictObject({
  v: z.literal(formatVersion),
  instance: z.string().check(z.regex(/^[a-z0-9]{16}$/)),
  pid,
  startedAt: text,
  boot: text,
  namespace: text,
  parent: z.nullable(z.strictObject({ pid, startedAt: text })),
  client: z.nullable(z.strictObject({ name: text, version: text })),
  home: text,
  waiting: z.array(text),
  detached: z.array(text),
});
