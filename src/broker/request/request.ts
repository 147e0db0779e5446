/**
 * What can be asked of a person, as data. Every field that a face can show is here, and everything here but
 * the binding is covered by the binding. Unknown keys are refused; absent values are null.
 * Format: docs/channel.md.
 */

import { identifierSchema } from "./identifier.js";
import { hashSchema, textSchema } from "./long-text.js";
import { scopeSchema } from "./scope.js";
import * as s from "./shape.js";

/** The version of the format that this program writes and the newest it understands. */
export const formatVersion = 1;

/** May this be done, is this worth keeping, what is the answer to this? */
export const kinds = ["approval", "fact", "question"] as const;
/** Which of the three is asked; a request's file name says it too. */
export type Kind = (typeof kinds)[number];

/** How much harm a yes can do, in rising order. At `dangerous` a person types a word. */
export const levels = ["low", "moderate", "high", "dangerous"] as const;
/** The step that a judgement ends with. */
export type Level = (typeof levels)[number];

/** How sure a server wants to be that a person answered, in rising order (SECURITY.md). */
export const assurances = ["file", "dialog", "terminal", "signed"] as const;

const text = s.string();
const maybeText = s.nullable(text);
const count = s.integer({ least: 0 });
/** Device and inode numbers are 64 bits wide, so they travel as decimal text. */
const decimal = s.string({ pattern: /^[0-9]{1,20}$/ });
const base64url32 = s.string({ pattern: /^[A-Za-z0-9_-]{43}$/ });

const fileIdentity = s.strictObject({
  path: text,
  device: decimal,
  inode: decimal,
  size: count,
  mtime: decimal,
});
const directoryIdentity = s.strictObject({ device: decimal, inode: decimal });
const state = s.union(
  s.literal("none"),
  s.strictObject({ bound: s.array(s.strictObject({ target: text, fingerprint: text })) }),
);

const commandSubject = s.strictObject({
  type: s.literal("command"),
  /** The whole line the command stands in; for an argv, its shell-quoted spelling. */
  line: textSchema,
  /** The words that run, or null for a shell line. */
  argv: s.nullable(s.array(textSchema, { least: 1 })),
  /** The part of the line that needs approval. */
  command: textSchema,
  directory: text,
  /** The rule that a wider scope would remember, or null when nothing wider is offered. */
  pattern: maybeText,
  program: s.nullable(fileIdentity),
  directoryIdentity: s.nullable(directoryIdentity),
  state: s.nullable(state),
});

const previewText = s.strictObject({ bytes: count, sha256: hashSchema, text: maybeText });

const toolSubject = s.strictObject({
  type: s.literal("tool"),
  server: text,
  serverIdentity: text,
  tool: text,
  title: maybeText,
  description: s.nullable(s.string({ longest: 4_000 })),
  arguments: s.anyObject,
  argumentsHash: hashSchema,
  /** What the client sends beside the arguments, but for tokens of the protocol and ids; it may be left out. */
  meta: s.nullish(s.anyObject),
  definitionHash: hashSchema,
  definition: s.nullable(s.strictObject({ before: text, after: text })),
  preview: s.nullable(
    s.array(
      s.strictObject({
        target: text,
        kind: s.oneOf(["replace", "create", "delete"]),
        before: s.nullable(previewText),
        after: s.nullable(previewText),
      }),
    ),
  ),
  state,
});

const permissionSubject = s.strictObject({
  type: s.literal("permission"),
  tool: text,
  input: s.anyObject,
  toolUseId: maybeText,
});

const subjectSchema = s.choice("type", {
  command: commandSubject,
  tool: toolSubject,
  permission: permissionSubject,
});

/** Who files it. `startedAt` and `boot` are opaque texts read from the operating system. */
const serverSchema = s.strictObject({
  pid: s.integer({ least: 1 }),
  startedAt: text,
  boot: text,
  instance: s.string({ pattern: /^[a-z0-9]{16}$/ }),
});

const shared = {
  v: s.literal(formatVersion),
  id: identifierSchema,
  createdAt: count,
  expiresAt: s.nullable(count),
  says: maybeText,
  client: s.nullable(s.strictObject({ name: text, version: text })),
  caller: text,
  thread: maybeText,
  server: serverSchema,
  nonce: base64url32,
  receiptCommit: hashSchema,
  binding: hashSchema,
};

/** A rule that a yes may remember: exactly this call, or a wider form with a call that it would let through and one that it would not. */
const offerSchema = s.strictObject({ rule: text, matches: maybeText, misses: maybeText });

const approvalSchema = s.strictObject({
  ...shared,
  kind: s.literal("approval"),
  subject: subjectSchema,
  level: s.oneOf(levels),
  reasons: s.array(text),
  rule: maybeText,
  scopes: s.array(scopeSchema, { least: 1 }),
  /** What a yes for the project or for always remembers, and for how many days; exactly this call stands first. */
  remember: s.nullish(
    s.strictObject({ offers: s.array(offerSchema, { least: 1 }), days: s.integer({ least: 1 }) }),
  ),
  assurance: s.oneOf(assurances),
});

const factSchema = s.strictObject({
  ...shared,
  kind: s.literal("fact"),
  fact: s.strictObject({
    subject: text,
    name: text,
    value: text,
    source: maybeText,
    directory: maybeText,
    similar: s.array(s.strictObject({ id: text, value: text })),
  }),
});

const questionSchema = s.strictObject({
  ...shared,
  kind: s.literal("question"),
  question: s.strictObject({
    text,
    options: s.nullable(s.array(s.strictObject({ value: text, label: text, description: maybeText }))),
    multiple: s.boolean,
    allowText: s.boolean,
    directory: maybeText,
  }),
});

/** A request's whole file, which of the three its `kind` says: no other key is taken. */
export const requestSchema = s.choice("kind", {
  approval: approvalSchema,
  fact: factSchema,
  question: questionSchema,
});

/** May this be done? `scopes` lists for how long a yes may be given. */
export type ApprovalRequest = s.Infer<typeof approvalSchema>;
/** Is this worth keeping? It waits for the person whether or not its server lives. */
export type FactRequest = s.Infer<typeof factSchema>;
/** What is the answer? One or several of its options, or text. */
export type QuestionRequest = s.Infer<typeof questionSchema>;
/** Anything that waits for a person. A file of this shape may still have been altered: `isUnaltered`. */
export type Request = ApprovalRequest | FactRequest | QuestionRequest;
/** One of the rules that a yes may remember. */
export type Offer = s.Infer<typeof offerSchema>;
/** What would be done: a command, a call of another server's tool, or what a client wants to permit. */
export type Subject = s.Infer<typeof subjectSchema>;
/** A command with the file and the directory that its words were resolved to. */
export type CommandSubject = s.Infer<typeof commandSubject>;
/** Which file a path led to, so that another one in its place is noticed. `mtime` in nanoseconds of the epoch. */
export type FileIdentity = s.Infer<typeof fileIdentity>;
/** The process that filed it and alone decides by its answer. `instance` is drawn anew at each start. */
export type RequestServer = s.Infer<typeof serverSchema>;

/** The directory it is about, raw; null when it is about none. */
export function directoryOf(request: Request): string | null {
  switch (request.kind) {
    case "approval":
      return request.subject.type === "command" ? request.subject.directory : null;
    case "fact":
      return request.fact.directory;
    case "question":
      return request.question.directory;
    default:
      return request satisfies never;
  }
}

/** What the channel adds when a draft is filed. */
type Filed = "v" | "id" | "createdAt" | "server" | "nonce" | "receiptCommit" | "binding";
/** What is asked, before the channel adds what only filing can know. */
export type Draft = Omit<ApprovalRequest, Filed> | Omit<FactRequest, Filed> | Omit<QuestionRequest, Filed>;

/** The name of a request's file in `pending/`. */
export function requestFileName(request: { readonly id: string; readonly kind: Kind }): string {
  return `${request.id}${requestSuffixes[request.kind]}`;
}

const requestSuffixes = {
  approval: ".request.json",
  fact: ".fact.json",
  question: ".question.json",
} as const satisfies Record<Kind, string>;

/**
 * Which request a file name in `pending/` claims to hold, or null: temporaries, answers and strangers.
 * The id is as found and not yet checked.
 */
export function parseRequestFileName(name: string): { readonly id: string; readonly kind: Kind } | null {
  for (const kind of kinds) {
    const suffix = requestSuffixes[kind];
    if (name.endsWith(suffix) && !name.startsWith(".")) return { id: name.slice(0, -suffix.length), kind };
  }
  return null;
}
