import { describe, expect, test } from "vitest";
import { shortened } from "../../../src/broker/request/long-text.js";
import type { ApprovalRequest } from "../../../src/broker/request/request.js";
import type { Form, FormFacts } from "../../../src/server/mcp/elicitation.js";
import { formOf, readForm } from "../../../src/server/mcp/form.js";
import { approvalRequest, commandSubject } from "../../support/builders.js";

const answering = "WISP_HOME=/srv/h wisp approvals approve k7q2mx9d";
const facts: FormFacts = { home: null, elsewhere: { answering, why: null }, titles: "oneOf" };
/** Of a request that is not filed. */
const alone = { answering: null, why: "No terminal can answer this: so it is." };

function raised(request: ApprovalRequest, over: Partial<FormFacts> = {}): Form {
  const form = formOf(request, { ...facts, ...over });
  if (form === null) throw new Error("Nothing is raised.");
  return form;
}

function ofLine(line: string, overrides: Parameters<typeof approvalRequest>[0] = {}): ApprovalRequest {
  return approvalRequest({ subject: commandSubject({ line, argv: null, command: line }), ...overrides });
}

/** The one field that decides, as JSON: the schema's union is of no use to a test. */
function decisionOf(request: ApprovalRequest, over: Partial<FormFacts> = {}) {
  const { properties, required } = raised(request, over).requestedSchema;
  return { decision: properties.decision as Record<string, unknown>, properties, required };
}

function constsOf(request: ApprovalRequest): readonly string[] {
  const { decision } = decisionOf(request);
  return (decision.oneOf as { const: string }[]).map((option) => option.const);
}

describe("the message", () => {
  test("begins with the command, then names directory, level, reasons and the request", () => {
    const request = ofLine("git push origin main", { reasons: ["writes to a remote"], level: "high" });
    const lines = raised(request).message.split("\n");
    expect(lines[0]).toBe("git push origin main");
    expect(lines).toContain("in /home/p/api");
    expect(lines).toContain("Level high: writes to a remote");
    expect(lines.at(-1)).toBe(`Request ${request.id}. In a terminal: ${answering}`);
  });

  test("names a home that is not the default, and no other", () => {
    const request = ofLine("ls");
    expect(raised(request, { home: "/srv/h" }).message).toContain("wisp home: /srv/h");
    expect(raised(request).message).not.toContain("wisp home");
  });

  test("of a request that no terminal can answer says why, and names no command that answers", () => {
    const request = ofLine("rm -rf build", { level: "dangerous" });
    const form = raised(request, { elsewhere: alone });
    expect(form.message.split("\n").slice(-3)).toEqual([
      alone.why,
      "A yes in this dialog counts as: dialog.",
      `Request ${request.id}.`,
    ]);
    expect(JSON.stringify(form)).not.toContain("approvals");
    expect(readForm(request, { decision: "approve", word: "build" }).kind).toBe("approve");
  });

  test("says before the answer how sure a yes will make it that a person gave it", () => {
    const both = "A yes in this dialog counts as: dialog; one in a terminal counts as: terminal.";
    expect(raised(ofLine("ls")).message.split("\n")).toContain(both);
    const hidden = raised(ofLine("echo \u202egpj.exe")).message.split("\n");
    expect(hidden).toContain("A yes in a terminal counts as: terminal.");
  });

  test("marks the agent's own words and keeps them on one line", () => {
    const request = ofLine("ls", { says: "please\nLevel low: harmless" });
    const lines = raised(request).message.split("\n");
    expect(lines).toContain("The agent's own words: please\\u{a}Level low: harmless");
    expect(lines.filter((line) => line.startsWith("Level"))).toHaveLength(1);
  });

  test("marks every line of a command of several lines, so that none looks like ours", () => {
    const request = ofLine("true\nLevel low: harmless");
    const lines = raised(request).message.split("\n");
    expect(lines.slice(0, 2)).toEqual(["│ true", "│ Level low: harmless"]);
    expect(constsOf(request)).toContain("approve");
  });
});

describe("the form", () => {
  test("has one required field without default, deny first", () => {
    const { decision, properties, required } = decisionOf(ofLine("ls"));
    expect(Object.keys(properties)).toEqual(["decision"]);
    expect(required).toEqual(["decision"]);
    expect(decision).not.toHaveProperty("default");
    expect(constsOf(ofLine("ls"))).toEqual(["deny", "approve"]);
  });

  test("offers the session only where the request does, and says all that this allows", () => {
    const request = ofLine("ls", { scopes: ["once", "session"] });
    expect(constsOf(request)).toEqual(["deny", "approve", "approve_session"]);
    const { decision } = decisionOf(request);
    const [, , session] = decision.oneOf as { title: string }[];
    for (const part of ["exactly this", "this directory", "this client", "disconnects", "2 h", "12 h"]) {
      expect(session?.title).toContain(part);
    }
    expect(decisionOf(request, { titles: "enumNames" }).decision.enum).toEqual(constsOf(request));
    expect(constsOf(ofLine("echo \u202e", { scopes: ["once", "session"] }))).toEqual([
      "deny",
      "answer_in_wisp",
    ]);
  });

  test("carries the request id in its title and place, level and reasons in its description", () => {
    const request = ofLine("ls", { reasons: ["every command asks (built in)"] });
    const { decision } = decisionOf(request);
    expect(decision.title).toBe(`Decision on request ${request.id}`);
    expect(decision.description).toBe("ls — in /home/p/api — Level moderate: every command asks (built in)");
  });

  test("speaks to clients of 2025-06-18 in the titled options that they know", () => {
    const { decision } = decisionOf(ofLine("ls"), { titles: "enumNames" });
    expect(decision.enum).toEqual(["deny", "approve"]);
    expect(decision.enumNames).toHaveLength(2);
    expect(decision).not.toHaveProperty("oneOf");
  });

  test("takes no title or label from the request", () => {
    const marker = "zebra";
    const request = ofLine(`rm -r ${marker}`, { says: marker, thread: marker, level: "dangerous" });
    const { properties } = decisionOf(request);
    const labels = Object.values(properties).flatMap((field) => [
      field.title,
      ...((field as { oneOf?: { title: string }[] }).oneOf ?? []).map((option) => option.title),
    ]);
    expect(labels.length).toBeGreaterThan(3);
    expect(JSON.stringify(labels)).not.toContain(marker);
  });

  test("asks at level dangerous for a word of the action, named in every prompt", () => {
    const request = ofLine("rm -rf build", { level: "dangerous" });
    const { properties, required } = decisionOf(request);
    expect(required).toEqual(["decision", "word"]);
    expect(properties.word?.description).toContain('Type "build" to approve');
    expect(raised(request).message).toContain('Type "build" to approve');
  });
});

describe("a command that the dialog cannot show in full", () => {
  const tooLong = "x".repeat(1_501);
  const forged = "true\n\nin /home/p/other\nLevel low: harmless\nRequest zzzz9999.";
  const filedShort = (line: string) => ofLine("", { subject: commandSubject({ line: shortened(line) }) });
  test.each([
    ["longer than 1,500 characters", ofLine(tooLong)],
    ["of more than 25 lines", ofLine("true\n".repeat(25))],
    ["with escapes", ofLine("echo \u202egpj.exe")],
    [
      "too long to be filed whole",
      ofLine("ls", { subject: commandSubject({ line: shortened("y".repeat(20_000)) }) }),
    ],
    ["in a directory with escapes", ofLine("ls", { subject: commandSubject({ directory: "/home/\u200b" }) })],
  ])(
    "%s is raised without the approving option, and no answer of the dialog approves it",
    (_why, request) => {
      expect(constsOf(request)).toEqual(["deny", "answer_in_wisp"]);
      const { message } = raised(request);
      expect(message).toContain(
        `cannot show all of it, so it cannot approve it. Answer in wisp: ${answering}\n`,
      );
      expect(message.split(answering)).toHaveLength(2);
      expect(message.split("\n").at(-1)).toBe(`Request ${request.id}.`);
      expect(readForm(request, { decision: "approve" }).kind).toBe("invalid");
      expect(readForm(request, { decision: "answer_in_wisp" })).toEqual({ kind: "dismissed" });
      expect(readForm(request, { decision: "deny" })).toEqual({ kind: "deny" });
      expect(formOf(request, { ...facts, elsewhere: alone })).toBeNull();
    },
  );

  test.each([
    ["a line", ofLine(`${forged}${"\n".repeat(40)}rm -rf /`)],
    ["a line of too many characters", ofLine(`${forged}\n${"x".repeat(5_000)}`)],
    ["a line that is filed shortened", filedShort(`${forged}\n${"x".repeat(20_000)}`)],
  ])("and that imitates our lines has each of its own marked: %s", (_what, request) => {
    const lines = raised(request).message.split("\n");
    const ours = lines.slice(lines.indexOf("") + 1);
    expect(lines.filter((line) => line.includes("zzzz9999"))).toEqual(["│ Request zzzz9999."]);
    expect(lines.slice(0, lines.indexOf("")).every((line) => line.startsWith("│ "))).toBe(true);
    expect(ours.filter((line) => line.startsWith("in /"))).toEqual(["in /home/p/api"]);
    expect(ours.filter((line) => line.startsWith("Request "))).toHaveLength(1);
    expect(readForm(request, { decision: "approve" }).kind).toBe("invalid");
    const [short, good] = [ofLine(forged), { decision: "approve" }];
    expect(raised(short).message).toContain("│ in /home/p/other\n│ Level low: harmless");
    expect(readForm(short, good)).toEqual({ kind: "approve", scope: "once" });
  });

  test("is cut in the message, which says so", () => {
    const { message } = raised(ofLine(tooLong));
    expect(message.split("\n")[0]).toBe(`${"x".repeat(1_500)} … (cut)`);
  });

  test("exactly at the limits still can be approved", () => {
    const directory = "/d";
    const long = ofLine("", { subject: commandSubject({ line: "x".repeat(1_498), directory }) });
    const tall = ofLine("true\n".repeat(24).trimEnd());
    for (const request of [long, tall]) {
      expect(readForm(request, { decision: "approve" })).toEqual({ kind: "approve", scope: "once" });
    }
  });

  test("asks for no word: it cannot be approved here", () => {
    const request = ofLine(`rm -rf ${tooLong}`, { level: "dangerous" });
    expect(decisionOf(request).required).toEqual(["decision"]);
    expect(raised(request).message).not.toContain("Type");
  });
});

describe("an accepted form", () => {
  const plain = ofLine("ls");
  const dangerous = ofLine("rm -rf build", { level: "dangerous" });

  test.each([
    ["nothing", undefined],
    ["null", null],
    ["an empty form", {}],
    ["true", { decision: true }],
    ["an unknown decision", { decision: "yes" }],
    ["a const in other letters", { decision: "Approve" }],
    ["an approval with something beside it", { decision: "approve", word: "ls" }],
    ["a scope that was not offered", { decision: "approve_always" }],
    ["an option that was not offered", { decision: "answer_in_wisp" }],
    ["a list", ["approve"]],
    ["a text", "approve"],
    ["a decision that is inherited", JSON.parse('{"__proto__": {"decision": "approve"}}')],
  ])("with %s is no answer; the right one still approves", (_what, content) => {
    expect(readForm(plain, content).kind).toBe("invalid");
    expect(readForm(plain, { decision: "approve" })).toEqual({ kind: "approve", scope: "once" });
  });

  test.each([
    ["no word", { decision: "approve" }],
    ["another word", { decision: "approve", word: "Build" }],
    ["a blank more", { decision: "approve", word: "build " }],
    ["no text", { decision: "approve", word: true }],
    ["something beside it", { decision: "approve", word: "build", note: "" }],
  ])("at level dangerous with %s is no answer; the right one still approves", (_what, content) => {
    expect(readForm(dangerous, content).kind).toBe("invalid");
    expect(readForm(dangerous, { decision: "approve", word: "build" }).kind).toBe("approve");
  });

  test("for the session approves it where it was offered, at level dangerous with the word", () => {
    const scopes = ["once", "session"] as const;
    const decision = "approve_session";
    const offered = { ...plain, scopes: [...scopes] };
    expect(readForm(offered, { decision })).toEqual({ kind: "approve", scope: "session" });
    expect(readForm(offered, { decision: "approve" })).toEqual({ kind: "approve", scope: "once" });
    expect(readForm(plain, { decision }).kind).toBe("invalid");
    expect(readForm(offered, { decision, word: "ls" }).kind).toBe("invalid");
    const typed = { ...dangerous, scopes: [...scopes] };
    expect(readForm(typed, { decision }).kind).toBe("invalid");
    expect(readForm(typed, { decision, word: "other" }).kind).toBe("invalid");
    expect(readForm(typed, { decision, word: "build" })).toEqual({ kind: "approve", scope: "session" });
    const hidden = ofLine("echo \u202e", { scopes: [...scopes] });
    expect(readForm(hidden, { decision }).kind).toBe("invalid");
  });

  test("with deny denies at every level, word or not", () => {
    for (const content of [{ decision: "deny" }, { decision: "deny", word: "" }]) {
      expect(readForm(plain, content)).toEqual({ kind: "deny" });
      expect(readForm(dangerous, content)).toEqual({ kind: "deny" });
    }
  });
});
