/** Requests of the vectors that are not taken: one for each rule of the reader. */
import { bindingOf } from "../../src/broker/request/binding.js";
import type { ErrorCode } from "../../src/broker/request/error-codes.js";
import { sha256Hex } from "../../src/broker/request/long-text.js";
import type { ApprovalRequest } from "../../src/broker/request/request.js";
import { goodRequest, nested, toolSubject } from "./good-requests.js";
import { bytesOf, type VectorFile } from "./vector.js";

function goodApproval(name: string): ApprovalRequest {
  const request = goodRequest(name);
  if (request.kind !== "approval") throw new Error(`${name} is no approval.`);
  return request;
}

const base = goodApproval("approval-words");
const baseText = JSON.stringify(base);

/** The base with changes that are not followed by its binding unless `isBound`. */
function changed(changes: Record<string, unknown>, isBound = true): string {
  const { binding: _old, ...rest } = base;
  const value = { ...rest, ...changes };
  return JSON.stringify({ ...value, binding: isBound ? bindingOf(value) : base.binding });
}

function subjectWith(changes: Record<string, unknown>): string {
  return changed({ subject: { ...base.subject, ...changes } });
}

function replaced(from: string, to: string): string {
  if (!baseText.includes(from)) throw new Error(`${from} is not in the base.`);
  return baseText.replace(from, to);
}

const offer = { rule: "Bash(git push origin main)", matches: null, misses: null };
const says = '"says":"Publish the fix so CI can run"';

/** Each breaks one rule: [name, why it is not taken, text, name in the channel]. */
const badTexts: readonly (readonly [string, string, string | Uint8Array, string?])[] = [
  ["bad-utf-8", "not valid UTF-8", spliced(says, [0x22, 0xff, 0x22])],
  ["latin-1", "not valid UTF-8", spliced(says, [0x22, 0xe9, 0x22])],
  ["surrogates-in-utf-8", "not valid UTF-8", spliced(says, [0x22, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80, 0x22])],
  ["byte-order-mark", "byte order mark", `\ufeff${baseText}`],
  ["empty", "not JSON", ""],
  ["half", "not JSON", baseText.slice(0, 200)],
  ["comment", "not JSON", `${baseText}// approved`],
  ["trailing-comma", "not JSON", baseText.replace(/\}$/, ",}")],
  ["two-values", "not JSON", `${baseText}${baseText}`],
  ["too-deep", "nested too deep", changed({ subject: toolSubject(nested(31)) })],
  ["duplicate-key", "duplicate key", replaced(says, `${says},"says":"harmless"`)],
  ["duplicate-key-escaped", "duplicate key", replaced(says, `${says},"s\\u0061ys":"harmless"`)],
  ["duplicate-key-inside", "duplicate key", replaced('"directory":', '"directory":"/tmp","directory":')],
  ["proto", "forbidden key", replaced(says, `${says},"__proto__":{"level":"low"}`)],
  ["proto-escaped", "forbidden key", replaced(says, `${says},"\\u005f_proto__":{"level":"low"}`)],
  ["constructor", "forbidden key", replaced('"directory":', '"constructor":{"prototype":{}},"directory":')],
  ["nul", "NUL character", replaced(says, '"says":"a\\u0000b"')],
  ["lone-surrogate", "lone surrogate", replaced(says, '"says":"a\\ud83d"')],
  ["surrogates-swapped", "lone surrogate", replaced(says, '"says":"\\ude00\\ud83d"')],
  ["big-integer", "unsafe number", replaced('"createdAt":1790000000000', '"createdAt":9007199254740993')],
  ["big-integer-exponent", "unsafe number", replaced('"createdAt":1790000000000', '"createdAt":1e20')],
  ["endless-number", "unsafe number", replaced('"createdAt":1790000000000', '"createdAt":1e400')],
  ["list", "bad id", `[${baseText}]`],
  ["path-for-an-id", "bad id", changed({ id: "../../etc/passwd" })],
  ["id-missing", "bad id", changed({ id: undefined })],
  ["path-for-a-name", "bad id", baseText, "..request.json"],
  ["short-name", "bad id", baseText, "abc.request.json"],
  ["id-not-its-name", "its id is not its name", baseText, "zzzzzzzz.request.json"],
  ["kind-not-its-name", "its kind is not its name's", baseText, `${base.id}.fact.json`],
  ["unknown-key", "unknown key", changed({ approved: true })],
  ["unknown-key-inside", "unknown key", subjectWith({ shell: "sh" })],
  ["key-missing", "bad field", changed({ thread: undefined })],
  ["key-missing-inside", "bad field", subjectWith({ directory: undefined })],
  ["version-0", "bad field", changed({ v: 0 })],
  ["version-in-words", "bad field", changed({ v: "1" })],
  ["unknown-kind", "bad field", changed({ kind: "order" })],
  ["unknown-subject", "bad field", subjectWith({ type: "shell" })],
  ["unknown-scope", "bad field", changed({ scopes: ["once", "forever"] })],
  ["no-scopes", "bad field", changed({ scopes: [] })],
  ["no-offers", "bad field", changed({ remember: { offers: [], days: 30 } })],
  ["offer-without-a-rule", "bad field", changed({ remember: { offers: [{ matches: "ls" }], days: 30 } })],
  ["remembered-for-no-day", "bad field", changed({ remember: { offers: [offer], days: 0 } })],
  [
    "unknown-key-in-an-offer",
    "unknown key",
    changed({ remember: { offers: [{ ...offer, all: true }], days: 1 } }),
  ],
  ["unknown-level", "bad field", changed({ level: "none" })],
  ["no-words", "bad field", subjectWith({ argv: [] })],
  ["time-with-fraction", "bad field", changed({ createdAt: 1_790_000_000_000.5 })],
  ["inode-as-number", "bad field", subjectWith({ directoryIdentity: { device: "2049", inode: 77 } })],
  ["short-nonce", "bad field", changed({ nonce: "AAAA" })],
  [
    "stand-in-for-a-short-text",
    "bad field",
    subjectWith({ line: { bytes: 2, sha256: sha256Hex("ls"), head: "ls", tail: "ls" } }),
  ],
  ["newer", "newer", changed({ v: 2, colour: "red" })],
  ["altered", "altered", changed({ level: "low" }, false)],
  [
    "altered-inside",
    "altered",
    replaced('"argv":["git","push","origin","main"]', '"argv":["git","push","origin","prod"]'),
  ],
];

/** The base with bytes in place of the agent's words. */
function spliced(from: string, value: readonly number[]): Uint8Array {
  const at = Buffer.byteLength(baseText.slice(0, baseText.indexOf(from) + '"says":'.length));
  const end = at + Buffer.byteLength(from) - '"says":'.length;
  const bytes = bytesOf(baseText);
  return Uint8Array.from([...bytes.subarray(0, at), ...value, ...bytes.subarray(end)]);
}

/** What a face says to whoever wants to answer it; null where it cannot even be named, or only another wisp can. */
function codeOf(fileName: string, expect: string): ErrorCode | null {
  if (expect === "altered") return "request_altered";
  const isNamed = fileName === "" || /^[a-z0-9]{8,32}\./.test(fileName);
  return isNamed && expect !== "newer" ? "request_unknown" : null;
}

export function badRequestVectors(): readonly VectorFile[] {
  return badTexts.map(([name, expect, content, fileName]) => ({
    vector: {
      file: `refused/request-${name}.json`,
      as: "request",
      name: fileName ?? `${base.id}.request.json`,
      expect,
      code: codeOf(fileName ?? "", expect),
    },
    bytes: typeof content === "string" ? bytesOf(content) : content,
  }));
}
