/**
 * What can be asked of a person, as data. Every field that a face can show is here, and everything here but
 * the binding is covered by the binding. Unknown keys are refused; absent values are null.
 * Format: docs/channel.md.
 */
import * as z from "zod/mini";
import { identifierSchema } from "./identifier.js";
import { hashSchema, textSchema } from "./long-text.js";
import { scopeSchema } from "./scope.js";

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

const text = z.string();
const maybeText = z.nullable(text);
const count = z.int().check(z.minimum(0));
/** Device and inode numbers are 64 bits wide, so they travel as decimal text. */
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
  /** The whole line the command stands in; for an argv, its shell-quoted spelling. */
  line: textSchema,
  /** The words that run, or null for a shell line. */
  argv: z.nullable(z.array(textSchema).check(z.minLength(1))),
  /** The part of the line that needs approval. */
  command: textSchema,
  directory: text,
  /** The rule that a wider scope would remember, or null when nothing wider is offered. */
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

/** Who files it. `startedAt` and `boot` are opaque texts read from the operating system. */
const serverSchema = z.strictObject({
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
  server: serverSchema,
  nonce: base64url32,
  receiptCommit: hashSchema,
  binding: hashSchema,
};

const approvalSchema = z.strictObject({
  ...shared,
  kind: z.literal("approval"),
  subject: subjectSchema,
  level: z.enum(levels),
  reasons: z.array(text),
  rule: maybeText,
  scopes: z.array(scopeSchema).check(z.minLength(1)),
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
  }),
});

/** A request's whole file, which of the three its `kind` says: no other key is taken. */
export const requestSchema = z.discriminatedUnion("kind", [approvalSchema, factSchema, questionSchema]);

/** May this be done? `scopes` lists for how long a yes may be given. */
export type ApprovalRequest = z.infer<typeof approvalSchema>;
/** Is this worth keeping? It waits for the person whether or not its server lives. */
export type FactRequest = z.infer<typeof factSchema>;
/** What is the answer? One or several of its options, or text. */
export type QuestionRequest = z.infer<typeof questionSchema>;
/** Anything that waits for a person. A file of this shape may still have been altered: `isUnaltered`. */
export type Request = ApprovalRequest | FactRequest | QuestionRequest;
/** What would be done: a command, a call of another server's tool, or what a client wants to permit. */
export type Subject = z.infer<typeof subjectSchema>;
/** A command with the file and the directory that its words were resolved to. */
export type CommandSubject = z.infer<typeof commandSubject>;
/** Which file a path led to, so that another one in its place is noticed. `mtime` in nanoseconds of the epoch. */
export type FileIdentity = z.infer<typeof fileIdentity>;
/** The process that filed it and alone decides by its answer. `instance` is drawn anew at each start. */
export type RequestServer = z.infer<typeof serverSchema>;

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
