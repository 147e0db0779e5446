/** Drafts of every kind and subject, complete and valid, with every optional field given; for rules about fields. */
import { composeRequest } from "../../src/broker/request/binding.js";
import { sha256Hex, shortened } from "../../src/broker/request/long-text.js";
import type { Draft, FactRequest, QuestionRequest, Subject } from "../../src/broker/request/request.js";
import { approvalDraft, commandSubject, filingFacts, offeringDraft } from "./builders.js";

type FactDraft = Extract<Draft, { kind: "fact" }>;
type QuestionDraft = Extract<Draft, { kind: "question" }>;
type Of<Type extends Subject["type"]> = Extract<Subject, { type: Type }>;

export function toolSubject(overrides: Partial<Of<"tool">> = {}): Of<"tool"> {
  return {
    type: "tool",
    server: "files",
    serverIdentity: "npx some-files-server",
    tool: "write_file",
    title: "Write a file",
    description: "Replaces the whole file.",
    arguments: { path: "/home/p/api/a.txt", options: { mode: 420, tags: ["x", null, true] } },
    argumentsHash: sha256Hex("arguments"),
    definitionHash: sha256Hex("definition"),
    definition: { before: "{}", after: '{"type":"object"}' },
    preview: [
      {
        target: "/home/p/api/a.txt",
        kind: "replace",
        before: { bytes: 3, sha256: sha256Hex("old"), text: "old" },
        after: { bytes: 3, sha256: sha256Hex("new"), text: null },
      },
    ],
    state: { bound: [{ target: "/home/p/api/a.txt", fingerprint: sha256Hex("old") }] },
    ...overrides,
  };
}

export function permissionSubject(overrides: Partial<Of<"permission">> = {}): Of<"permission"> {
  return {
    type: "permission",
    tool: "Edit",
    input: { file: "/home/p/api/a.txt", edits: [{ old: "a", new: "b" }] },
    toolUseId: "toolu_01",
    ...overrides,
  };
}

export function factDraft(overrides: Partial<FactDraft> = {}): FactDraft {
  return {
    kind: "fact",
    expiresAt: 1_790_604_800_000,
    fact: {
      subject: "api",
      name: "test command",
      value: "npm test",
      source: "package.json",
      directory: "/home/p/api",
      similar: [{ id: "abcdefgh", value: "npm run test" }],
    },
    says: "I read it in package.json",
    client: { name: "test-client", version: "1.0.0" },
    caller: "stdio",
    thread: "setup",
    ...overrides,
  };
}

export function questionDraft(
  overrides: Partial<QuestionDraft> = {},
  question: Partial<QuestionDraft["question"]> = {},
): QuestionDraft {
  return {
    kind: "question",
    expiresAt: null,
    question: {
      text: "Which database?",
      options: [
        { value: "pg", label: "PostgreSQL", description: "as in production" },
        { value: "lite", label: "SQLite", description: null },
      ],
      multiple: false,
      allowText: false,
      directory: "/home/p/api",
      ...question,
    },
    says: null,
    client: null,
    caller: "stdio",
    thread: null,
    ...overrides,
  };
}

/** A fact as filed. */
export function factRequest(
  overrides: Partial<FactDraft> = {},
  fact: Partial<FactDraft["fact"]> = {},
): FactRequest {
  const draft = factDraft(overrides);
  const whole = { ...draft, fact: { ...draft.fact, ...fact } };
  return composeRequest(whole, filingFacts()) as FactRequest;
}

/** A question as filed. */
export function questionRequest(
  overrides: Partial<QuestionDraft> = {},
  question: Partial<QuestionDraft["question"]> = {},
): QuestionRequest {
  return composeRequest(questionDraft(overrides, question), filingFacts()) as QuestionRequest;
}

/** One draft of each kind, and for approvals of each subject; no optional field is left null in all of them. */
export function everyDraft(): Readonly<Record<string, Draft>> {
  return {
    "a command as words": offeringDraft({
      says: "so that CI can run",
      thread: "git",
      rule: "ask Bash(git push *) (policy.json:7)",
      subject: commandSubject({
        pattern: "Bash(git push *)",
        program: {
          path: "/usr/bin/git",
          device: "2049",
          inode: "131",
          size: 4_000_000,
          mtime: "1700000000000000000",
        },
        directoryIdentity: { device: "2049", inode: "77" },
        state: { bound: [{ target: "HEAD", fingerprint: sha256Hex("head") }] },
      }),
    }),
    "a shell line": approvalDraft({ subject: commandSubject({ argv: null, state: "none" }), client: null }),
    "a long line": approvalDraft({
      subject: commandSubject({ argv: null, line: shortened("x".repeat(20_000)), command: "x" }),
    }),
    "a tool call": approvalDraft({ subject: toolSubject({ meta: { "vendor/scope": "all" } }) }),
    "a client's permission prompt": approvalDraft({ subject: permissionSubject() }),
    "a fact": factDraft(),
    "a question": questionDraft(),
  };
}
