import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { captureOf, mostKeptBytes } from "../../../src/server/command/capture.js";
import { MemoryStore } from "../../support/commands.js";

const limit = 1_000;

const jsonBytes = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2;

function captureAll(chunks: readonly Uint8Array[], store = new MemoryStore(), room = limit) {
  const capture = captureOf("stdout", room, store);
  for (const chunk of chunks) capture.write(chunk);
  return { ...capture.finish(), store };
}

const chunk = fc.oneof(
  fc.uint8Array({ maxLength: 700 }),
  fc.string({ unit: "binary", maxLength: 300 }).map((text) => new Uint8Array(Buffer.from(text))),
  fc.string({ maxLength: 600 }).map((text) => new Uint8Array(Buffer.from(text))),
);

const mark = /\n\[(\d+) of (\d+) bytes are missing here\. The whole is in \/memory\/stdout\.\]\n/;

describe("the output of a command", () => {
  it("is shown as it came while it fits", () => {
    const { text, isTruncated, kept, store } = captureAll([Buffer.from("a\n"), Buffer.from("€\n")]);
    expect({ text, isTruncated, kept }).toEqual({ text: "a\n€\n", isTruncated: false, kept: null });
    expect(store.files.size).toBe(0);
  });

  it("keeps its beginning and its end, and says what is missing and where the whole is", () => {
    const lines = Array.from({ length: 1_000 }, (_, index) => `line ${index}\n`).join("");
    const { text, isTruncated, kept, store } = captureAll([Buffer.from(lines)]);
    expect(isTruncated).toBe(true);
    expect(text.startsWith("line 0\nline 1\n")).toBe(true);
    expect(text.endsWith("line 998\nline 999\n")).toBe(true);
    expect(text).toMatch(mark);
    expect(kept).toEqual({ path: "/memory/stdout", bytes: lines.length, problem: null });
    expect(store.whole("stdout").toString()).toBe(lines);
    expect(store.closed).toEqual(["stdout"]);
  });

  it("never takes more than its limit as JSON, and loses no byte uncounted", () => {
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 8 }), (chunks) => {
        const whole = Buffer.concat(chunks);
        const { text, isTruncated, store } = captureAll(chunks);
        expect(jsonBytes(text)).toBeLessThanOrEqual(limit);
        if (!isTruncated) {
          expect(text).toBe(new TextDecoder("utf-8", { ignoreBOM: true }).decode(whole));
          return;
        }
        expect(store.whole("stdout").equals(whole)).toBe(true);
        const [, missing, total] = mark.exec(text) ?? [];
        expect(Number(total)).toBe(whole.length);
        expect(Number(missing)).toBeGreaterThan(0);
        const [head = "", tail = ""] = text.split(mark.exec(text)?.[0] ?? "");
        const decoded = new TextDecoder("utf-8", { ignoreBOM: true });
        expect(decoded.decode(whole).startsWith(head)).toBe(true);
        expect(decoded.decode(whole).endsWith(tail)).toBe(true);
      }),
    );
  });

  it("that fits in bytes but not as JSON is cut, and kept", () => {
    const { text, isTruncated, store } = captureAll([new Uint8Array(900)]);
    expect(isTruncated).toBe(true);
    expect(jsonBytes(text)).toBeLessThanOrEqual(limit);
    expect(store.whole("stdout")).toEqual(Buffer.alloc(900));
  });

  it("uses most of its limit", () => {
    expect(jsonBytes(captureAll([Buffer.from("x".repeat(5_000))]).text)).toBeGreaterThan(limit - 10);
  });

  it("is cut between characters", () => {
    for (const character of ["é", "€", "😀"]) {
      for (const shift of ["", "a", "ab", "abc"]) {
        const { text } = captureAll([Buffer.from(shift + character.repeat(2_000))]);
        expect(text).not.toContain("\ufffd");
        expect(text).toMatch(mark);
      }
    }
  });

  it("that is not UTF-8 is shown with replacement characters", () => {
    expect(captureAll([new Uint8Array([0xff, 0xfe, 0x6f, 0x6b])]).text).toBe("\ufffd\ufffdok");
  });

  it("may split a character between two reads", () => {
    const euro = Buffer.from("€");
    expect(captureAll([euro.subarray(0, 1), euro.subarray(1)]).text).toBe("€");
  });
});

describe("keeping the whole", () => {
  const long = Buffer.from("x".repeat(5_000));

  it.each(["ENOSPC", "EIO", "EDQUOT", "EROFS"])(
    "that fails with %s costs the file and nothing else",
    (errno) => {
      for (const step of ["create", "append", "close"] as const) {
        const store = new MemoryStore();
        store.failure = { step, errno };
        const { text, kept } = captureAll([long, long], store);
        expect(kept?.problem, step).toContain(errno);
        expect(kept?.path, step).toBe(step === "create" ? null : "/memory/stdout");
        expect(text, step).toContain(errno);
        expect(text.startsWith("xxx") && text.endsWith("xxx"), step).toBe(true);
        expect(jsonBytes(text), step).toBeLessThanOrEqual(limit);
      }
    },
  );

  it("that fails once is not tried again, and what was kept before is said", () => {
    const store = new MemoryStore();
    const capture = captureOf("stdout", limit, store);
    capture.write(long);
    store.failure = { step: "append", errno: "ENOSPC" };
    capture.write(long);
    store.failure = null;
    capture.write(long);
    const { kept, text } = capture.finish();
    expect(kept).toMatchObject({ path: "/memory/stdout", bytes: 5_000 });
    expect(store.whole("stdout").length).toBe(5_000);
    expect(text).toContain("What was kept of it is in /memory/stdout");
  });

  it("stops at its limit and says so", () => {
    const store = new MemoryStore();
    const capture = captureOf("stdout", limit, store);
    const block = new Uint8Array(3 * 1024 * 1024).fill(0x61);
    for (let written = 0; written <= mostKeptBytes; written += block.length) capture.write(block);
    const { kept } = capture.finish();
    expect(kept).toEqual({
      path: "/memory/stdout",
      bytes: mostKeptBytes,
      problem: `only the first ${mostKeptBytes} bytes are kept`,
    });
    expect(store.whole("stdout").length).toBe(mostKeptBytes);
  });
});
