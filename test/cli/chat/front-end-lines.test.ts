import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { errorCodes } from "../../../src/broker/request/error-codes.js";
import { approvalRequest } from "../../support/builders.js";
import { fakeInbox } from "../../support/fake-inbox.js";
import { frontEndOf, hello, refusal } from "../../support/front-end.js";

describe("a line of a front end", () => {
  it.each<[string, string | Uint8Array]>([
    ["nothing", ""],
    ["half an object", '{"type":"hello"'],
    ["a list", "[1]"],
    ["null", "null"],
    ["two objects", '{"type":"hello","effects":[]}{"type":"hello","effects":[]}'],
    ["a key that stands twice", '{"type":"hello","type":"answer","effects":[]}'],
    ["a key of every object", '{"type":"hello","effects":[],"__proto__":{}}'],
    ["too deep a nest", `{"type":"hello","effects":${"[".repeat(40)}${"]".repeat(40)}}`],
    ["bytes that are no text", Uint8Array.of(0x7b, 0xff, 0x7d)],
    ["no type", '{"effects":["approve"]}'],
    ["a type that is no text", '{"type":7}'],
    ["hello without effects", '{"type":"hello"}'],
    ["answer without an id", '{"type":"answer","decision":"approve"}'],
  ])("that is %s is refused, and the next one is read", (_what, text) => {
    const { news, raw, says } = frontEndOf(fakeInbox([approvalRequest()]));
    news();
    raw(Buffer.from(text));
    expect(news()).toEqual([refusal(null, "invalid_input")]);
    says(hello);
    expect(news().map(({ type }) => type)).toEqual(["approval"]);
  });

  it("that is too long is refused, and the next one is read", () => {
    const { news, frontEnd, says } = frontEndOf(fakeInbox([approvalRequest()]));
    news();
    frontEnd.hear({ kind: "too long" });
    expect(news()).toEqual([refusal(null, "invalid_input")]);
    says(hello);
    expect(news().map(({ type }) => type)).toEqual(["approval"]);
  });

  it("of a type that is not known is passed over", () => {
    const { news, says } = frontEndOf(fakeInbox([approvalRequest()]));
    news();
    says({ type: "approval" }, { type: "alive" }, { type: "tell", id: 7 });
    expect(news()).toEqual([]);
  });

  it("gets what has a type and, where it is refused, a code of the list, whatever it holds", () => {
    const request = approvalRequest();
    const values = fc.anything({ withBigInt: false, withDate: false });
    const message = fc.record(
      {
        type: fc.oneof(fc.constantFrom("hello", "answer", "x"), values),
        id: fc.oneof(fc.constantFrom(request.id, "k7q2mx9d"), values),
        decision: fc.oneof(fc.constantFrom("deny", "keep"), values),
        scope: values,
        word: values,
        note: values,
        effects: fc.oneof(fc.constantFrom([], ["approve"]), values),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(message), (messages) => {
        const { news, raw } = frontEndOf(fakeInbox([request]));
        for (const one of messages) raw(Buffer.from(JSON.stringify(one) ?? "", "utf8"));
        for (const { type, code } of news()) {
          expect(typeof type).toBe("string");
          if (type === "refused") expect(Object.keys(errorCodes)).toContain(code);
        }
      }),
    );
  });

  it("never approves by accident: only the whole word at its place does", () => {
    const request = approvalRequest({ scopes: ["once", "session", "project", "always"] });
    const maybe = fc.constantFrom<unknown>(
      "approve",
      "Approve",
      " approve",
      "deny",
      "yes",
      true,
      1,
      null,
      ["approve"],
      {
        decision: "approve",
      },
    );
    fc.assert(
      fc.property(maybe, maybe, maybe, (decision, scope, text) => {
        const inbox = fakeInbox([request]);
        const { says } = frontEndOf(inbox);
        says(hello, { type: "answer", id: request.id, decision, scope, text });
        const yes = inbox.answers.some(({ given }) => given.decision === "approve");
        expect(yes).toBe(decision === "approve" && scope === null && text === null);
      }),
    );
  });
});
