import { createHash, createHmac } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { generatedFiles, vectorDirectory } from "../../../scripts/generated.js";
import type { VectorIndex } from "../../../scripts/vectors/index.js";
import type { Vector, VectorRole } from "../../../scripts/vectors/vector.js";
import type { RefusedAnswer } from "../../../src/broker/channel/channel.js";
import { homeAt } from "../../../src/broker/channel/home.js";
import { isUnaltered, judgeRequest } from "../../../src/broker/channel/listing.js";
import { takeFrom } from "../../../src/broker/channel/own-request.js";
import { readReceipt } from "../../../src/broker/channel/receipts.js";
import { readRefusal } from "../../../src/broker/channel/rejected.js";
import { readSlot } from "../../../src/broker/channel/slot.js";
import { readSpooled } from "../../../src/broker/channel/spool.js";
import { readJson, sizeLimits } from "../../../src/broker/files/read.js";
import {
  type AnswerObjection,
  answerSchema,
  objectionTo,
  parseAnswerFileName,
} from "../../../src/broker/request/answer.js";
import { answerHash, isReceiptVerified } from "../../../src/broker/request/binding.js";
import { type Request, requestFileName, requestSchema } from "../../../src/broker/request/request.js";

import type { JsonObjection } from "../../../src/broker/request/strict-json.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { takesAll } from "../../support/witnesses.js";

const root = join(import.meta.dirname, "../../..");
const directory = join(root, vectorDirectory);
const { vectors } = JSON.parse(bytesOf("index.json").toString("utf8")) as VectorIndex;

const work = mkdtempSync(join(tmpdir(), "wisp-vectors-"));
const home = homeAt(work, false);
for (const place of [home.pending, home.settled, home.rejected, home.spool])
  mkdirSync(place, { mode: 0o700 });

afterAll(() => {
  rmSync(work, { recursive: true, force: true });
});

describe("the files", () => {
  test("what is committed is what the script makes, and nothing else lies beside it", () => {
    const made = generatedFiles();
    for (const [path, bytes] of made) {
      expect(readFileSync(join(root, path)).equals(bytes), `${path}: run node scripts/generate.mjs`).toBe(
        true,
      );
    }
    const committed = readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    expect(committed.filter((path) => !made.has(path.slice(root.length + 1)))).toEqual([]);
  });

  test("every rule of the reader and every objection to an answer has a vector", () => {
    const reasons = new Set(vectors.map((vector) => vector.expect));
    const rules = [
      ...Object.keys(jsonObjections),
      ...["bad id", "unknown key", "bad field", "its id is not its name", "its kind is not its name's"],
      ...["newer", "altered", "it is not an answer", "it is not a receipt", "it is not the text"],
      "it is not the refusal of this answer",
    ];
    expect(rules.filter((rule) => !reasons.has(rule))).toEqual([]);
    const objections = new Set(of("answer").map((vector) => vector.expect));
    expect(Object.keys(answerObjections).filter((objection) => !objections.has(objection))).toEqual([]);
  });
});

/** All of them, so that a new one without a vector does not pass. */
const jsonObjections = {
  "not valid UTF-8": true,
  "byte order mark": true,
  "not JSON": true,
  "nested too deep": true,
  "duplicate key": true,
  "forbidden key": true,
  "NUL character": true,
  "lone surrogate": true,
  "unsafe number": true,
} satisfies Record<JsonObjection, true>;

/** All but one: an answer in a slot that names another request is refused for its name before. */
const answerObjections = {
  "it is bound to something else than what was filed": true,
  "only the server that asked may give this decision": true,
  "a server gives no person's decision": true,
  "its decision belongs to another kind of request": true,
  "its scope was not offered": true,
  "it carries a scope that its decision does not know": true,
  "only a question is answered with text or values": true,
  "a question takes either values or text": true,
  "this question takes no such text": true,
  "its text is longer than an answer may be": true,
  "this question takes no values": true,
  "this question takes one value": true,
  "a value was not among the options": true,
  "a value stands twice": true,
  "its rule was not offered": true,
  "only a yes for a session came from a wider scope": true,
} satisfies Record<Exclude<AnswerObjection, "it names another request">, true>;

describe("requests", () => {
  test.each(of("request"))("$file: $expect", (vector) => {
    expect(whyNotRequest(vector)).toBe(vector.expect);
  });

  test.each(of("request").filter(isGood))("$file is bound as it says", (vector) => {
    const { binding, ...bound } = JSON.parse(bytesOf(vector.file).toString("utf8")) as Request;
    expect(binding).toBe(vector.binding);
    // Once more without the code under test.
    expect(sha256(`wisp/request/v1\n${canonical(bound)}`)).toBe(binding);
  });
});

describe("answers", () => {
  test.each(of("answer"))("$file: $expect", (vector) => {
    const request = requestOf(vector);
    const id = parseAnswerFileName(vector.name) ?? "";
    writeFileSync(join(home.pending, vector.name), bytesOf(vector.file), { mode: 0o600 });
    const slot = readSlot(home, id);
    rmSync(join(home.pending, vector.name));
    const why =
      slot.kind === "answer"
        ? objectionTo(slot.answer, request)
        : slot.kind === "free"
          ? "free"
          : slot.reason;
    expect(why ?? "ok").toBe(vector.expect);
    if (slot.kind === "answer" && why === null) {
      expect(answerHash(slot.answer)).toBe(vector.hash);
      expect(sha256(canonical(slot.answer))).toBe(vector.hash);
    }
  });
});

describe("an answer's code", () => {
  test.each(of("answer"))("$file: $code", (vector) => {
    const request = requestOf(vector);
    const requestPath = join(home.pending, requestFileName(request));
    const refused: RefusedAnswer[] = [];
    const filed = JSON.stringify(request);
    const own = { request, filed, secret: new Uint8Array(32), spooled: [], claims: new Set<string>() };
    writeFileSync(requestPath, filed, { mode: 0o600 });
    writeFileSync(join(home.pending, vector.name), bytesOf(vector.file), { mode: 0o600 });
    const news = takeFrom(own, {
      home,
      clock: systemClock,
      witness: takesAll,
      onRefused: (one) => refused.push(one),
    });
    expect(refused.map(({ reason }) => reason)).toEqual(isGood(vector) ? [] : [vector.expect]);
    // Refused means that its request goes on waiting.
    expect(news).toEqual(vector.code === null ? expect.objectContaining({ kind: "answer" }) : null);
    expect(vector.code).toBe(refused.length === 0 ? null : "answer_refused");
    for (const path of [requestPath, join(home.pending, vector.name)]) rmSync(path, { force: true });
  });
});

describe("receipts", () => {
  test.each(of("receipt"))("$file: $expect", (vector) => {
    writeFileSync(join(home.settled, vector.name), bytesOf(vector.file), { mode: 0o600 });
    const receipt = readReceipt(home, vector.name.replace(".json", ""));
    rmSync(join(home.settled, vector.name));
    expect(receipt === null ? "it is not a receipt" : "ok").toBe(vector.expect);
    // Nobody answers one, whatever it is.
    expect(vector.code).toBeNull();
    if (receipt === null) return;
    expect(isReceiptVerified(receipt, requestOf(vector))).toBe(vector.isVerified);
    expect(receipt.mac).toBe(vector.mac);
    const secret = Buffer.from(vector.secret ?? "", "hex");
    expect(createHash("sha256").update(secret).digest("hex")).toBe(requestOf(vector).receiptCommit);
    const { reveal, mac, ...proved } = receipt;
    const own = createHmac("sha256", secret)
      .update(`wisp/receipt/v1\n${canonical(proved)}`)
      .digest("hex");
    expect(own === mac && reveal === secret.toString("base64url")).toBe(vector.isVerified);
  });
});

describe("refusals", () => {
  test.each(of("refusal"))("$file: $expect", (vector) => {
    const answer = answerSchema.parse(JSON.parse(bytesOf(vector.answer ?? "").toString("utf8")));
    expect(vector.name).toBe(`${sha256(canonical(answer))}.reason.json`);
    writeFileSync(join(home.rejected, vector.name), bytesOf(vector.file), { mode: 0o600 });
    const shortfall = readRefusal(home, answer);
    rmSync(join(home.rejected, vector.name));
    expect(shortfall === null ? "it is not the refusal of this answer" : "ok").toBe(vector.expect);
    expect(shortfall).toBe(vector.shortfall ?? null);
    // What a face ends with whose answer was moved away.
    expect(vector.code).toBe(shortfall === null ? "answer_refused" : "assurance_insufficient");
  });
});

describe("spooled texts", () => {
  test.each(of("spool"))("$file: $expect", (vector) => {
    const request = requestOf(vector);
    const line =
      request.kind === "approval" && request.subject.type === "command" ? request.subject.line : "";
    if (typeof line === "string") throw new Error("The request has no long text.");
    expect(line.sha256).toBe(vector.name);
    writeFileSync(join(home.spool, vector.name), bytesOf(vector.file), { mode: 0o600 });
    const text = readSpooled(home, line);
    expect(text === null ? "it is not the text" : "ok").toBe(vector.expect);
    expect(vector.code).toBeNull();
    if (text !== null) expect(text.startsWith(line.head) && text.endsWith(line.tail)).toBe(true);
  });
});

function of(role: VectorRole): readonly Vector[] {
  return vectors.filter((vector) => vector.as === role);
}

function isGood(vector: Vector): boolean {
  return vector.expect === "ok";
}

function bytesOf(file: string): Buffer {
  return readFileSync(join(directory, file));
}

function requestOf(vector: Vector): Request {
  return requestSchema.parse(JSON.parse(bytesOf(vector.request ?? "").toString("utf8")));
}

/** Read from disk as the channel does; a name that is a path is judged with the bytes of a plain file. */
function whyNotRequest(vector: Vector): string {
  const path = join(home.pending, "vector.request.json");
  writeFileSync(path, bytesOf(vector.file), { mode: 0o600 });
  const result = readJson(path, sizeLimits.request);
  rmSync(path);
  const judged = judgeRequest(vector.name, result);
  if (judged.kind === "newer") return "newer";
  if (judged.kind === "request") return isUnaltered(judged.request) ? "ok" : "altered";
  // The project also names the key or the field.
  return /^(unknown key|bad field)/.exec(judged.reason)?.[0] ?? judged.reason;
}

function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/** RFC 8785, written a second time. */
function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(",")}}`;
}
