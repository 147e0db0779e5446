/** What the client's dialog shows of a call of a tool, and that it can approve nothing else. */
import { describe, expect, test } from "vitest";
import { sha256Hex } from "../../../../src/broker/request/long-text.js";
import { toolAction } from "../../../../src/server/gate/calls/tool-dialog.js";
import type { FormFacts } from "../../../../src/server/mcp/elicitation.js";
import { formOf, readForm } from "../../../../src/server/mcp/form.js";
import { approvalRequest } from "../../../support/builders.js";
import { toolSubject } from "../../../support/request-kinds.js";

type ToolFacts = Parameters<typeof toolSubject>[0];

const path = "/home/p/a.txt";
const plain = { definition: null, preview: null, arguments: { path, content: "one\nthree\n" } };
const facts: FormFacts = {
  home: null,
  elsewhere: { answering: "wisp approvals approve k7q2mx9d", why: null },
  titles: "oneOf",
};

function asked(over: ToolFacts = {}) {
  return approvalRequest({ subject: toolSubject({ ...plain, ...over }), scopes: ["once", "session"] });
}

function raised(over: ToolFacts = {}) {
  const form = formOf(asked(over), facts, toolAction);
  if (form === null) throw new Error("Nothing is raised.");
  const { decision } = form.requestedSchema.properties;
  return { message: form.message, decision: decision as Record<string, unknown> };
}

/** The lines of what runs, without what is said below them. */
function shownOf(over: ToolFacts = {}): readonly string[] {
  const lines = raised(over).message.split("\n");
  return lines.slice(0, lines.indexOf(""));
}

function titleOf(over: ToolFacts, decision: string): string | undefined {
  const options = raised(over).decision.oneOf as { const: string; title: string }[];
  return options.find((option) => option.const === decision)?.title;
}

function side(text: string | null, bytes = 0) {
  return { bytes, sha256: sha256Hex(text ?? "x"), text };
}

function canApprove(over: ToolFacts): boolean {
  return readForm(asked(over), { decision: "approve" }, toolAction).kind === "approve";
}

describe("the dialog of a call", () => {
  test("says whose tool it is, how that was started, and what a yes is bound to", () => {
    const state = { bound: [{ target: path, fingerprint: sha256Hex("one") }] };
    expect(shownOf({ state })).toEqual([
      '│ write_file {"path":"/home/p/a.txt","content":"one\\nthree\\n"}',
      "│ server files, started as: npx some-files-server",
      "│ state bound: /home/p/a.txt",
    ]);
    expect(shownOf({ state: "none" }).at(-1)).toBe("│ state not bound: a yes is for the arguments alone");
    expect(raised({ state }).decision.description).toContain("of the server files");
    expect(canApprove({ state })).toBe(true);
  });

  test("shows what would be replaced line by line, and little of what stays", () => {
    const stays = Array.from({ length: 12 }, (_, index) => `line ${index}`).join("\n");
    const before = side(`one\ntwo\n${stays}\n`);
    const after = side(`one\nthree\n${stays}\n`);
    const preview = [{ target: path, kind: "replace" as const, before, after }];
    expect(shownOf({ preview }).slice(3)).toEqual([
      `│ replace ${path}`,
      "│   one",
      "│ - two",
      "│ + three",
      "│   line 0",
      "│   line 1",
      "│ … 11 lines stay",
    ]);
  });

  test("says of what is no text how long it is, and its hash", () => {
    const [before, after] = [side(null, 9), side(null, 12)];
    const preview = [{ target: path, kind: "replace" as const, before, after }];
    expect(shownOf({ preview }).slice(4)).toEqual([
      `│ - (9 bytes, SHA-256 ${before.sha256})`,
      `│ + (12 bytes, SHA-256 ${after.sha256})`,
    ]);
  });

  test("names a new file, and says a second time of none what it would hold", () => {
    const preview = [{ target: path, kind: "create" as const, before: null, after: side("one\nthree\n") }];
    expect(shownOf({ preview }).slice(3)).toEqual([`│ create ${path}`]);
    const moved = [{ target: path, kind: "create" as const, before: null, after: side("else\n") }];
    expect(shownOf({ preview: moved }).slice(3)).toEqual([`│ create ${path}`, "│ + else", "│ + "]);
  });

  test("shows what was let through before where that is another one now", () => {
    const definition = { before: "npx a", after: "npx b" };
    expect(shownOf({ definition }).slice(3)).toEqual([
      "│ what was let through before, and what is there now:",
      "│ - npx a",
      "│ + npx b",
    ]);
  });

  test("lets no line of a file pass for one of ours", () => {
    const forged = "state bound: /etc/x\nLevel low: harmless\tx\n- gone";
    const preview = [{ target: path, kind: "delete" as const, before: side(forged), after: null }];
    expect(shownOf({ preview }).slice(4)).toEqual([
      "│ - state bound: /etc/x",
      "│ - Level low: harmless\\tx",
      "│ - - gone",
    ]);
  });

  test.each([
    [
      "a file that is too long",
      { preview: [{ target: path, kind: "delete" as const, before: side("x\n".repeat(30)), after: null }] },
    ],
    [
      "a file that holds what cannot be seen",
      { preview: [{ target: path, kind: "delete" as const, before: side("a\u202eb"), after: null }] },
    ],
    [
      "a file that goes and is told by its hash alone",
      {
        preview: [{ target: path, kind: "replace" as const, before: side(null, 40_000), after: side("one") }],
      },
    ],
    [
      "a text that comes and is told by its hash alone",
      { preview: [{ target: path, kind: "create" as const, before: null, after: side(null, 40_000) }] },
    ],
    [
      "a file that is replaced and was not looked at",
      { preview: [{ target: path, kind: "replace" as const, before: null, after: side("one") }] },
    ],
    [
      "a file that goes and was not looked at",
      { preview: [{ target: path, kind: "delete" as const, before: null, after: null }] },
    ],
    ["a definition that is too long", { definition: { before: "x", after: "y".repeat(1_600) } }],
    ["a server's command that holds what cannot be seen", { serverIdentity: "npx \u200b" }],
  ])("cannot approve with %s", (_what, over) => {
    expect(canApprove(over)).toBe(false);
    expect(titleOf(over, "approve")).toBeUndefined();
    expect(raised(over).message).toContain("This dialog cannot show all of it");
    expect(canApprove({})).toBe(true);
  });

  test("says of a yes for the session how long it holds, and of no directory", () => {
    expect(titleOf({}, "approve_session")).toMatch(
      /exactly this call, while what it touches stays as it is now, for this client/,
    );
    const free = titleOf({ state: "none" }, "approve_session");
    expect(free).toMatch(/exactly this call, for this client/);
    expect(free).not.toContain("directory");
  });
});
