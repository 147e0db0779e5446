/** Good requests of the vectors: every kind, every subject, and texts and numbers that other languages stumble on. */
import { createHash } from "node:crypto";
import { composeRequest } from "../../src/broker/request/binding.js";
import { sha256Hex, shortened } from "../../src/broker/request/long-text.js";
import {
  type CommandSubject,
  type Draft,
  type Request,
  requestFileName,
  type Subject,
} from "../../src/broker/request/request.js";
import { bytesOf, type VectorFile } from "./vector.js";

/** Bytes that look random and are always the same for one label. */
export function fixedBytes(label: string): Uint8Array {
  return createHash("sha256").update(`wisp vector ${label}`).digest();
}

/** The secret behind the receipt of the request of this file. */
export function secretOf(file: string): Uint8Array {
  return fixedBytes(`secret of ${file}`);
}

/** A text over 16 KiB; its whole stands beside the vectors under its hash. */
export const longLine = `cat <<'END'\n${"a long line of a long document 😀\n".repeat(500)}END`;

const common = {
  expiresAt: 1_790_000_600_000,
  says: null,
  client: { name: "example-client", version: "1.0.0" },
  caller: "stdio",
  thread: null,
} as const;

const asking = {
  kind: "approval",
  level: "moderate",
  reasons: ["every command asks"],
  rule: null,
  scopes: ["once"],
  assurance: "terminal",
} as const;

function command(
  line: string,
  argv: readonly string[] | null,
  more: Partial<CommandSubject> = {},
): CommandSubject {
  return {
    type: "command",
    line: shortened(line),
    argv: argv === null ? null : argv.map(shortened),
    command: shortened(line),
    directory: "/home/p/api",
    pattern: null,
    program: null,
    directoryIdentity: null,
    state: null,
    ...more,
  };
}

function approval(subject: Subject, more: Partial<Extract<Draft, { kind: "approval" }>> = {}): Draft {
  return { ...common, ...asking, reasons: [...asking.reasons], scopes: [...asking.scopes], subject, ...more };
}

const push = command("git push origin main", ["git", "push", "origin", "main"]);

export function toolSubject(args: Record<string, unknown>): Subject {
  return {
    type: "tool",
    server: "files",
    serverIdentity: "example-files-server",
    tool: "write_file",
    title: "Write a file",
    description: "Replaces the whole file.",
    arguments: args,
    argumentsHash: sha256Hex("the hash of arguments is opaque here"),
    definitionHash: sha256Hex("so is that of the definition"),
    definition: null,
    preview: [
      {
        target: "/home/p/api/a.txt",
        kind: "replace",
        before: { bytes: 3, sha256: sha256Hex("old"), text: "old" },
        after: { bytes: 3, sha256: sha256Hex("new"), text: null },
      },
    ],
    state: { bound: [{ target: "/home/p/api/a.txt", fingerprint: sha256Hex("old") }] },
  };
}

/** Arguments of `levels` objects, one in the other. */
export function nested(levels: number): Record<string, unknown> {
  return levels === 1 ? {} : { in: nested(levels - 1) };
}

const drafts: Readonly<Record<string, Draft>> = {
  "approval-words": approval(
    {
      ...push,
      pattern: "git push origin main",
      program: {
        path: "/usr/bin/git",
        device: "2049",
        inode: "18446744073709551615",
        size: 4_000_000,
        mtime: "1700000000000000000",
      },
      directoryIdentity: { device: "2049", inode: "77" },
      state: { bound: [{ target: "HEAD", fingerprint: sha256Hex("head") }] },
    },
    {
      level: "high",
      says: "Publish the fix so CI can run",
      rule: "ask Bash(git push *) (policy.json:7)",
      scopes: ["once", "session", "project", "always"],
      thread: "git",
    },
  ),
  "approval-offers": approval(
    { ...push, pattern: "git push origin main" },
    {
      rule: "ask Bash(git push *) (policy.json:7)",
      scopes: ["once", "session", "project", "always"],
      remember: {
        offers: [
          { rule: "Bash(git push origin main)", matches: null, misses: null },
          { rule: "Bash(git push origin *)", matches: "git push origin dev", misses: "git push --force" },
        ],
        days: 30,
      },
    },
  ),
  "approval-line": approval(command("make test | tee log", null, { command: "tee log", state: "none" })),
  "approval-waits-for-ever": approval(push, { expiresAt: null, client: null }),
  "approval-unicode": approval(
    command('printf "%s\\n" "日本語 é e\u0301 😀 \u202e\u2028 < > & \u0001\u007f"', null, {
      directory: "/home/p/größe",
    }),
  ),
  "approval-long": approval(command(longLine, null)),
  "approval-tool": approval(
    toolSubject({
      path: "/home/p/api/a.txt",
      // Sorted by UTF-16 unit, not by code point: the pair comes before U+FB33.
      "\ufb33": "last",
      "😀": "before it",
      é: [0, -1, 1.5, 0.1, 1e-7, 123_456_789_012, 9_007_199_254_740_991, true, false, null, "", {}, []],
      "10": "before 2",
      "2": "after 10",
      "": "an empty key",
    }),
  ),
  "approval-deepest": approval(toolSubject(nested(30))),
  "approval-permission": approval({
    type: "permission",
    tool: "Edit",
    input: { file: "a.txt", edits: [{ old: "a", new: "b" }] },
    toolUseId: "t-1",
  }),
  fact: {
    ...common,
    kind: "fact",
    fact: {
      subject: "api",
      name: "test command",
      value: "npm test",
      source: "package.json",
      directory: "/home/p/api",
      similar: [{ id: "abcdefgh", value: "npm run test" }],
    },
  },
  "question-choice": {
    ...common,
    kind: "question",
    question: {
      text: "Which database?",
      options: [
        { value: "pg", label: "PostgreSQL", description: "as in production" },
        { value: "lite", label: "SQLite", description: null },
      ],
      multiple: true,
      allowText: false,
      directory: "/home/p/api",
    },
  },
  "question-one": {
    ...common,
    kind: "question",
    question: {
      text: "Which port?",
      options: [
        { value: "80", label: "80", description: null },
        { value: "8080", label: "8080", description: null },
      ],
      multiple: false,
      allowText: false,
      directory: "/home/p/api",
    },
  },
  "question-text": {
    ...common,
    kind: "question",
    question: { text: "What is it for?", options: null, multiple: false, allowText: true, directory: null },
  },
};

const idLetters = "23456789abcdefghjkmnpqrstvwxyz";

function filed(file: string, draft: Draft): Request {
  return composeRequest(draft, {
    id: [...fixedBytes(`id of ${file}`).subarray(0, 8)]
      .map((byte) => idLetters[byte % idLetters.length])
      .join(""),
    createdAt: 1_790_000_000_000,
    server: {
      pid: 4711,
      startedAt: "123456",
      boot: "00000000-0000-4000-8000-000000000000",
      instance: "abcdefghjkmnpqrs",
    },
    nonce: Buffer.from(fixedBytes(`nonce of ${file}`)).toString("base64url"),
    receiptSecret: secretOf(file),
  });
}

/** The good requests by the file they stand in. */
export const goodRequests: ReadonlyMap<string, Request> = new Map(
  Object.entries(drafts).map(([name, draft]) => {
    const file = `valid/request-${name}.json`;
    return [file, filed(file, draft)];
  }),
);

export function goodRequest(name: string): Request {
  const request = goodRequests.get(`valid/request-${name}.json`);
  if (request === undefined) throw new Error(`There is no request ${name}.`);
  return request;
}

export function goodRequestVectors(): readonly VectorFile[] {
  const files = [...goodRequests].map(([file, request]) => ({
    vector: goodVector(file, request),
    bytes: bytesOf(JSON.stringify(request)),
  }));
  return [...files, respelled()];
}

/** The same request as other programs may write it: another order of keys, blanks, escapes. */
function respelled(): VectorFile {
  const base = goodRequest("approval-unicode");
  const shuffled = Object.fromEntries(Object.entries(base).reverse());
  const text = `${JSON.stringify(shuffled, null, 2).replaceAll("/", "\\/").replaceAll("é", "\\u00e9")}\n`;
  return {
    vector: {
      ...goodVector("valid/request-approval-unicode.json", base),
      file: "valid/request-respelled.json",
    },
    bytes: bytesOf(text),
  };
}

function goodVector(file: string, request: Request): VectorFile["vector"] {
  return {
    file,
    as: "request",
    name: requestFileName(request),
    expect: "ok",
    code: null,
    binding: request.binding,
  };
}
