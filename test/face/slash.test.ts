import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSlash, slashCompletions, slashHelp } from "../../src/face/slash.js";

describe("a slash command", () => {
  it.each([
    ["/approvals pending", { kind: "pending" }],
    ["/approvals approve k7q2", { kind: "approve", id: "k7q2", scope: null, form: null }],
    ["  /approvals   approve\tk7q2  session ", { kind: "approve", id: "k7q2", scope: "session", form: null }],
    ["/approvals approve k7q2 project", { kind: "approve", id: "k7q2", scope: "project", form: null }],
    ["/approvals approve k7q2 always  2", { kind: "approve", id: "k7q2", scope: "always", form: 2 }],
    ["/approvals deny k7q2", { kind: "deny", id: "k7q2", note: null }],
    [
      "/approvals deny k7q2 not on  Fridays, please",
      { kind: "deny", id: "k7q2", note: "not on  Fridays, please" },
    ],
    ["/facts keep f2m6", { kind: "keep", id: "f2m6", scope: null }],
    [" /facts keep  f2m6 project ", { kind: "keep", id: "f2m6", scope: "project" }],
    ["/facts keep f2m6 everywhere", { kind: "keep", id: "f2m6", scope: "always" }],
    ["/facts keep f2m6 global", { kind: "keep", id: "f2m6", scope: "always" }],
    ["/facts drop f2m6", { kind: "drop", id: "f2m6", isForGood: false }],
    ["/facts drop f2m6 for-good", { kind: "drop", id: "f2m6", isForGood: true }],
    ["/questions answer t9w3", { kind: "answer", id: "t9w3" }],
    ["/questions decline t9w3", { kind: "decline", id: "t9w3", note: null }],
    ["/questions decline t9w3 ask  Ada", { kind: "decline", id: "t9w3", note: "ask  Ada" }],
    ["/late", { kind: "late" }],
    ["/help", { kind: "help" }],
    ["/quit", { kind: "quit" }],
  ])("%j is read as what it says", (typed, meant) => {
    expect(parseSlash(typed)).toEqual(meant);
  });

  it.each([
    ["/approvals", "/approvals needs one of: pending, approve, deny."],
    ["/approvals aprove k7q2", "There is no /approvals aprove; did you mean /approvals approve?"],
    ["/aprovals deny k7q2", "There is no /aprovals; did you mean /approvals?"],
    ["/xyzzy", "There is no /xyzzy; see /help"],
    ["/approvals approve", "/approvals approve needs an id."],
    [
      "/approvals approve k7q2 forever",
      "There is no scope forever; scopes are once, session, project, always.",
    ],
    [
      "/approvals approve k7q2 once please",
      "There is no scope once please; scopes are once, session, project, always.",
    ],
    [
      "/approvals approve k7q2 session 2",
      "There is no scope session 2; scopes are once, session, project, always.",
    ],
    ...["0", "-1", "1 2", "two", "100", "1;"].map((form) => [
      `/approvals approve k7q2 project ${form}`,
      "After project stands nothing, or the number of a form.",
    ]),
    ["/approvals pending k7q2", "/approvals pending takes nothing after it."],
    ["/facts keep", "/facts keep needs an id."],
    ["/facts list", "There is no /facts list; in a shell there is: wisp facts list"],
    ["/facts keep f2m6 f2m7", "A fact is kept for project or global or everywhere, not f2m7."],
    ["/facts keep f2m6 always", "A fact is kept for project or global or everywhere, not always."],
    [
      "/facts keep f2m6 global please",
      "A fact is kept for project or global or everywhere, not global please.",
    ],
    ["/facts drop", "/facts drop needs an id."],
    ["/facts drop f2m6 forever", "A fact is dropped for-good or not, not forever."],
    ["/facts kep f2m6", "There is no /facts kep; did you mean /facts keep?"],
    ["/questions", "/questions needs one of: answer, decline."],
    ["/questions answer", "/questions answer needs an id."],
    ["/questions answer t9w3 2", "/questions answer takes an id alone, and then asks for the answer."],
    ["/questions decline", "/questions decline needs an id."],
    ["/quit now", "/quit takes nothing after it."],
  ])("%j is wrong and never a decision: %s", (typed, what) => {
    expect(parseSlash(typed)).toEqual({ kind: "wrong", what });
    expect(parseSlash("/approvals approve k7q2")).toEqual({
      kind: "approve",
      id: "k7q2",
      scope: null,
      form: null,
    });
  });

  it("is never read into text that does not begin with a slash", () => {
    const text = fc.string().filter((one) => !one.trim().startsWith("/"));
    fc.assert(fc.property(text, (typed) => parseSlash(typed).kind === "text"));
  });

  it("approves only where the word approve stands whole in its place", () => {
    const words = fc.array(
      fc.constantFrom(
        "/approvals",
        "/facts",
        "approve",
        "deny",
        "Approve",
        "approve!",
        "k7q2mx9d",
        "once",
        "yes",
        "y",
        "",
      ),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(words, (list) => {
        const typed = list.join(" ");
        if (parseSlash(typed).kind === "approve") expect(typed.trim()).toMatch(/^\/approvals +approve +\S/);
      }),
    );
  });
});

describe("completion of a slash command", () => {
  it.each([
    ["/a", ["/approvals"]],
    ["/approvals ", ["/approvals pending", "/approvals approve", "/approvals deny"]],
    ["/approvals a", ["/approvals approve"]],
    ["/approvals approve k", ["/approvals approve k7q2mx9d", "/approvals approve kkkkkkkk"]],
    ["/approvals pending k", []],
    ["/approvals approve k7q2mx9d o", []],
    ["hello", []],
  ])("of %j offers what can follow", (typed, lines) => {
    expect(slashCompletions(typed, ["k7q2mx9d", "kkkkkkkk", "p4rv8dab"])).toEqual(lines);
  });

  it("offers only lines that are longer than what was typed and read as a command or the beginning of one", () => {
    for (const line of slashCompletions("/", [])) expect(slashHelp.join("\n")).toContain(line);
  });
});
