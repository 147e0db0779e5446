import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bindingOf } from "../../../src/broker/request/binding.js";
import { likenessOf } from "../../../src/broker/request/likeness.js";
import { sha256Hex, shortened } from "../../../src/broker/request/long-text.js";
import type { Subject } from "../../../src/broker/request/request.js";
import { commandSubject } from "../../support/builders.js";
import { permissionSubject, toolSubject } from "../../support/request-kinds.js";

const program = { path: "/usr/bin/git", device: "1", inode: "2", size: 3, mtime: "4" };
const directoryIdentity = { device: "1", inode: "5" };
const state = { bound: [{ target: "HEAD", fingerprint: "a" }] };

/** A subject, and one that differs from it in one thing. */
type Pair = readonly [what: string, one: Subject, other: Subject];

const line = commandSubject({ argv: null, line: "git push", command: "git push" });

const differing: readonly Pair[] = [
  ["a word", commandSubject(), commandSubject({ argv: ["git", "push", "origin", "dev"] })],
  ["where a word ends", commandSubject({ argv: ["a b"] }), commandSubject({ argv: ["a", "b"] })],
  ["the directory", commandSubject(), commandSubject({ directory: "/home/p/other" })],
  ["the line", line, commandSubject({ argv: null, line: "git push -f" })],
  [
    "being a line",
    commandSubject({ argv: ["true"], line: "true" }),
    commandSubject({ argv: null, line: "true" }),
  ],
  [
    "the middle of a long text",
    commandSubject({ argv: null, line: shortened(`${"x".repeat(9_000)}a${"x".repeat(9_000)}`) }),
    commandSubject({ argv: null, line: shortened(`${"x".repeat(9_000)}b${"x".repeat(9_000)}`) }),
  ],
  ["the server", toolSubject(), toolSubject({ serverIdentity: "npx another" })],
  ["the tool", toolSubject(), toolSubject({ tool: "read_file" })],
  ["an argument", toolSubject(), toolSubject({ arguments: { path: "/home/p/api/b.txt" } })],
  ["something beside the arguments", toolSubject(), toolSubject({ meta: { "vendor/all": true } })],
  [
    "what is beside the arguments",
    toolSubject({ meta: { "vendor/all": false } }),
    toolSubject({ meta: { "vendor/all": true } }),
  ],
  [
    "what stands beside the arguments, or is one",
    toolSubject({ arguments: {}, meta: { a: 1 } }),
    toolSubject({ arguments: { meta: { a: 1 } } }),
  ],
  ["the permitted tool", permissionSubject(), permissionSubject({ tool: "Write" })],
  ["the permitted input", permissionSubject(), permissionSubject({ input: {} })],
  [
    "the kind, with the same names",
    permissionSubject({ tool: "t", input: {} }),
    toolSubject({ tool: "t", arguments: {}, serverIdentity: "" }),
  ],
];

const drifted: readonly Pair[] = [
  [
    "the program's file",
    commandSubject({ program }),
    commandSubject({ program: { ...program, inode: "9" } }),
  ],
  ["there being a program", commandSubject({ program }), commandSubject()],
  ["the directory's identity", commandSubject({ directoryIdentity }), commandSubject()],
  ["a command's state", commandSubject({ state }), commandSubject({ state: "none" })],
  ["the tool's definition", toolSubject(), toolSubject({ definitionHash: sha256Hex("newer") })],
  ["a tool's state", toolSubject(), toolSubject({ state: "none" })],
];

const alike: readonly Pair[] = [
  ["the client's id of a permission", permissionSubject(), permissionSubject({ toolUseId: "toolu_02" })],
  ["the spelling of an argv", commandSubject(), commandSubject({ line: "'git' push origin main" })],
  ["the rule that would be remembered", commandSubject(), commandSubject({ pattern: "Bash(git push *)" })],
  [
    "the order of arguments",
    toolSubject({ arguments: { a: 1, b: 2 } }),
    toolSubject({ arguments: { b: 2, a: 1 } }),
  ],
  ["there being nothing beside the arguments", toolSubject(), toolSubject({ meta: null })],
  ["a tool's title", toolSubject(), toolSubject({ title: "Write", description: null, server: "f" })],
];

describe("two asks", () => {
  test.each(differing)("that differ in %s have different subjects", (_what, one, other) => {
    expect(likenessOf(other).subject).not.toBe(likenessOf(one).subject);
  });

  test.each(drifted)("that differ in %s have one subject and different states", (_what, one, other) => {
    expect(likenessOf(other).subject).toBe(likenessOf(one).subject);
    expect(likenessOf(other).state).not.toBe(likenessOf(one).state);
  });

  test.each(alike)("that differ in %s alone are identical", (_what, one, other) => {
    expect(likenessOf(other)).toEqual(likenessOf(one));
  });

  test("of any words are identical exactly where words and directory are", () => {
    const words = fc.record({
      argv: fc.array(fc.constantFrom("a", "b", "a b", ""), { minLength: 1, maxLength: 3 }),
      directory: fc.constantFrom("/a", "/b"),
    });
    fc.assert(
      fc.property(words, words, (one, other) => {
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        expect(likenessOf(commandSubject(one)).subject === likenessOf(commandSubject(other)).subject).toBe(
          isSame,
        );
      }),
    );
  });
});

test("neither hash is one of the bare values, of the other's label or of a binding", () => {
  const done = { argv: ["git", "push", "origin", "main"], directory: "/home/p/api" };
  const { subject, state: bound } = likenessOf(commandSubject());
  const bare = '{"argv":["git","push","origin","main"],"directory":"/home/p/api"}';
  expect(subject).toBe(sha256Hex(`wisp/subject/v1\n${bare}`));
  expect([sha256Hex(bare), sha256Hex(`wisp/state/v1\n${bare}`), bindingOf(done)]).not.toContain(subject);
  expect(bound).toBe(sha256Hex('wisp/state/v1\n{"directoryIdentity":null,"program":null,"state":null}'));
});

test("a text that is not Unicode has no likeness; the next one has", () => {
  expect(() => likenessOf(commandSubject({ argv: ["\ud800"] }))).toThrow();
  expect(likenessOf(commandSubject({ argv: ["\u{1f600}"] })).subject).toMatch(/^[0-9a-f]{64}$/);
});
