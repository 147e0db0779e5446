import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { type ErrorCode, errorCodes } from "../../../src/broker/request/error-codes.js";
import {
  errnoOf,
  expectErrno,
  expectWispError,
  type ThrownCode,
  thrownCodes,
  WispError,
} from "../../../src/broker/request/errors.js";

const codes = Object.keys(errorCodes) as ErrorCode[];

describe("errorCodes", () => {
  test("codes are in order, in small letters, and each has one instruction of one line", () => {
    const thrown = Object.keys(thrownCodes);
    const told = codes.filter((code) => !(code in thrownCodes || code.startsWith("approval_")));
    expect([thrown, told]).toEqual([[...thrown].sort(), [...told].sort()]);
    for (const code of codes) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)+$/);
      expect(errorCodes[code].recovery).toMatch(/^[A-Z][^\n]{10,120}$/);
    }
  });

  test("each is the reason of something: none is only on the list", () => {
    const source = join(import.meta.dirname, "../../../src");
    const lists = ["errors.ts", "error-codes.ts"].map((name) => join("broker", "request", name));
    const text = readdirSync(source, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !lists.includes(name))
      .map((name) => readFileSync(join(source, name), "utf8"))
      // A branch on a code gives nobody that code.
      .map((code) => code.replace(/case "[a-z_]+":|[!=]== "[a-z_]+"/g, ""))
      .join("");
    expect(codes.filter((code) => !text.includes(`"${code}"`))).toEqual([]);
  });

  test("nothing that a person or silence decided invites another try by itself", () => {
    for (const code of ["approval_denied", "approval_declined", "approval_timed_out"] as const) {
      expect(errorCodes[code].retryable).toBe(false);
    }
  });
});

describe("WispError", () => {
  test.each(Object.keys(thrownCodes) as ThrownCode[])(
    "%s without more says what to do by its code",
    (code) => {
      const error = new WispError(code, "What happened.");
      expect(error).toBeInstanceOf(Error);
      expect(error).toMatchObject({
        name: "WispError",
        code,
        message: "What happened.",
        why: null,
        details: {},
      });
      expect(error.fix).toBe(errorCodes[code].recovery);
      expect("cause" in error).toBe(false);
    },
  );

  test("what is known is carried along", () => {
    const cause = new Error("disk");
    const error = new WispError("channel_unavailable", "Cannot write.", {
      why: "The disk is full.",
      fix: "Free space.",
      details: { errno: "ENOSPC" },
      cause,
    });
    expect(error).toMatchObject({
      why: "The disk is full.",
      fix: "Free space.",
      details: { errno: "ENOSPC" },
    });
    expect(error.cause).toBe(cause);
  });
});

test("an error of another program's copy of the class is one of ours, and no other error is", async () => {
  vi.resetModules();
  const another = await import("../../../src/broker/request/errors.js");
  expect(another.WispError).not.toBe(WispError);
  const error: unknown = new another.WispError("policy_invalid", "It cannot be used.");
  expect([error instanceof WispError, error instanceof Error]).toEqual([true, true]);
  for (const other of [new Error("plain"), { name: "WispError" }, "WispError", null]) {
    expect(other instanceof WispError).toBe(false);
  }
});

describe("errnoOf", () => {
  const broken = new WispError("channel_unavailable", "There is no space left.");

  test("the name of a system error is found, and nothing else is taken for one", () => {
    expect(errnoOf(Object.assign(new Error("full"), { code: "ENOSPC" }))).toBe("ENOSPC");
    expect(errnoOf(Object.assign(new Error("odd"), { code: 28 }))).toBeNull();
    for (const other of [new Error("plain"), { code: "ENOSPC" }, "ENOSPC", null, undefined, broken]) {
      expect(errnoOf(other)).toBeNull();
    }
  });
});

describe("an error that can be of one kind only", () => {
  const full = Object.assign(new Error("full"), { code: "ENOSPC" });
  const broken = new WispError("channel_unavailable", "There is no space left.");
  const mistakes = [new TypeError("a mistake"), "thrown", null];

  test.each<readonly [string, (error: unknown) => unknown, Error, unknown, readonly unknown[]]>([
    ["the system's", expectErrno, full, "ENOSPC", [...mistakes, broken]],
    ["a broken promise", expectWispError, broken, broken, [...mistakes, full]],
  ])("is taken where it is %s, and any other is thrown on as it is", (_, taken, own, value, others) => {
    for (const other of others) {
      let thrown: unknown = "nothing";
      try {
        taken(other);
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toBe(other);
    }
    expect(taken(own)).toBe(value);
  });
});
