import { describe, expect, it } from "vitest";
import { oneLine, reasonOf } from "../../../src/broker/approval/reason.js";
import { WispError } from "../../../src/broker/request/errors.js";

describe("a reason", () => {
  it("says what went wrong and why, without a full stop, and names no command an agent could run", () => {
    const extras = { why: "Its mode is 0777.", fix: "chmod 700 /h" };
    expect(reasonOf(new WispError("channel_unsafe", "/h is open.", extras))).toBe(
      "channel_unsafe: /h is open. Its mode is 0777",
    );
    expect(reasonOf(new WispError("audit_unavailable", "The log is full.", { why: "ENOSPC" }))).toBe(
      "audit_unavailable: The log is full. ENOSPC",
    );
  });

  it("of anything else that is thrown is its text", () => {
    expect([reasonOf(new Error("broke.")), reasonOf("text")]).toEqual(["broke.", "text"]);
  });
});

describe("one line", () => {
  it("shows what is invisible and cuts no character in half", () => {
    expect(oneLine("a\nb\u202e")).toBe("a\\u{a}b\\u{202e}");
    expect(oneLine(`${"x".repeat(999)}😀`)).toBe("x".repeat(999));
  });
});
