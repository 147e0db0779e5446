import { describe, expect, it } from "vitest";
import type { Receipt } from "../../../src/broker/request/receipt.js";
import type { Given } from "../../../src/face/answer.js";
import type { Event } from "../../../src/tui/state/event.js";
import { answerTo } from "../../support/builders.js";
import { Stage } from "../../support/tui-events.js";
import { factToKeep, receiptOf, toAnswer } from "../../support/tui-requests.js";

const asked = toAnswer({ options: null, allowText: true, text: "Which region?" });
const other = toAnswer({ allowText: true });
const fact = factToKeep();

type Ending = Extract<Event, { kind: "answered" }>["ending"];

function receipt(overrides: Partial<Receipt> = {}): Receipt {
  return receiptOf(asked, { via: "tui", decision: "answer", scope: null, ...overrides });
}

/** `asked` is open, and `text` stands in the box for its answer; with `isEnded` after Enter. */
function typed(text: string, isEnded: boolean, isLinear = false): Stage {
  const stage = new Stage({ columns: 80, rows: 24 }, 0, isLinear);
  stage.waits([asked, other]);
  stage.wait(1_000);
  if (isLinear) stage.type(`text ${text}`);
  else {
    stage.press("o");
    stage.type(text);
  }
  if (isEnded) stage.press("return");
  return stage;
}

function leaves(stage: Stage): void {
  stage.feed({ kind: "left", request: asked, ending: null, at: stage.at });
  stage.waits([other]);
}

/** y on what was typed, and what became of it. */
function sentAnd(stage: Stage, ending: Ending): void {
  stage.calmly("y");
  const given: Given = { decision: "answer", scope: null, note: null, values: null, text: "eu" };
  stage.feed({ kind: "answered", request: asked, given, ending, at: stage.at });
}

describe("what was typed for a question that is settled elsewhere", () => {
  it.each([
    ["is typed", false, "was not sent"],
    ["was ended and not sent", true, 'was not used: "eu-west-1"'],
  ])(
    "comes into the input box while it %s, which is said, and hits no other card",
    (_what, isEnded, text) => {
      const stage = typed("eu-west-1", isEnded);
      leaves(stage);
      expect(stage.model.box?.text).toBe("eu-west-1");
      expect(stage.notices.join("\n")).toContain(text);
      for (const key of "yd1") stage.calmly(key);
      stage.calmly("return");
      expect(stage.answers).toEqual([]);
      expect(stage.model.box?.text).toBe("eu-west-1yd1");
      stage.press("escape");
      expect(stage.model.card?.entry.key).toBe(other.id);
      stage.calmly("d");
      expect(stage.answers).toMatchObject([{ request: { id: other.id }, given: { decision: "decline" } }]);
    },
  );

  it("comes back as well where another card is open", () => {
    const stage = typed("eu-west-1", true);
    stage.calmly("j");
    stage.feed({ kind: "left", request: asked, ending: null, at: stage.at, isMore: true });
    stage.waits([other]);
    expect(stage.model.box?.text).toBe("eu-west-1");
    expect(stage.model.card?.entry.key).toBe(other.id);
    expect(stage.model.replies.size).toBe(0);
  });

  it("is told where the box is taken, and takes nothing away from it", () => {
    const stage = typed("eu-west-1", true);
    stage.press("i");
    stage.type("/help");
    leaves(stage);
    expect(stage.model.box?.text).toBe("/help");
    expect(stage.notices.join("\n")).toContain('"eu-west-1"');
    stage.press("return");
    expect(stage.model.page?.kind).toBe("help");
  });

  it("answers nothing as a command, though it is one", () => {
    const stage = typed(`/questions decline ${other.id}`, true);
    leaves(stage);
    stage.wait(1_000).press("return");
    expect(stage.answers).toEqual([]);
    expect(stage.notices.at(-1)).toContain("pasted text answers nothing");
    stage.press("escape");
    stage.calmly("d");
    expect(stage.answers).toHaveLength(1);
  });

  it("comes back in words, too", () => {
    const stage = typed("eu-west-1", true, true);
    leaves(stage);
    expect(stage.model.box?.text).toBe("eu-west-1");
    expect(stage.notices.join("\n")).toContain("not used");
  });

  it("is not thrown away where the question changes: o brings it back, and nothing is sent without", () => {
    const stage = typed("eu-west-1", true);
    const changed = { ...asked, question: { ...asked.question, text: "Delete which region?" } };
    stage.waits([changed, other]);
    stage.calmly("y");
    expect(stage.answers).toEqual([]);
    stage.calmly("o");
    expect(stage.model.prompt?.line.text).toBe("eu-west-1");
  });
});

describe("what was sent", () => {
  it("is forgotten where it answered, and nothing comes into the box", () => {
    const stage = typed("eu", true);
    sentAnd(stage, { kind: "won", receipt: receipt(), isVerified: true });
    leaves(stage);
    expect(stage.model.box).toBeNull();
    expect(stage.model.replies.size).toBe(0);
    expect(stage.notices.join("\n")).toContain("answered (terminal): Which region?");
  });

  it.each<[string, Ending]>([
    ["came too late", { kind: "settled", receipt: receipt({ via: "chat" }), isVerified: true }],
    ["failed", { kind: "won", receipt: receipt({ outcome: "failed" }), isVerified: true }],
    ["found nothing any more", { kind: "gone" }],
  ])("comes back where it %s", (_what, ending) => {
    const stage = typed("eu", true);
    sentAnd(stage, ending);
    leaves(stage);
    expect(stage.model.box?.text).toBe("eu");
    expect(stage.notices.join("\n")).toContain('was not used: "eu"');
  });

  it("comes back where another was first and it leaves then", () => {
    const stage = typed("eu", true);
    sentAnd(stage, {
      kind: "first",
      winner: answerTo(asked, { decision: "answer", scope: null, values: null, text: "us", via: "chat" }),
    });
    expect(stage.notices.at(-1)).toContain("was answered first elsewhere: answered in wisp chat");
    leaves(stage);
    expect(stage.model.box?.text).toBe("eu");
  });

  it.each<Ending>([
    { kind: "refused", shortfall: "no_terminal" },
    { kind: "error", text: "The disk is full." },
  ])("and was not taken can be sent again as it is: %j", (ending) => {
    const stage = typed("eu", true);
    sentAnd(stage, ending);
    stage.calmly("y");
    expect(stage.answers.map(({ given }) => given)).toMatchObject([{ text: "eu" }, { text: "eu" }]);
  });
});

describe("how an answer about a fact or a question ended", () => {
  it.each<[Given, Partial<Receipt>, string]>([
    [{ decision: "keep", scope: "project", note: null }, {}, "kept (project, terminal): api · test command"],
    [{ decision: "keep", scope: "always", note: null }, {}, "kept (global, terminal): api · test command"],
    [{ decision: "drop", scope: null, note: null }, {}, "dropped (terminal): api · test command"],
    [{ decision: "drop", scope: "always", note: null }, {}, "dropped for good (terminal): api"],
    [
      { decision: "keep", scope: "project", note: null },
      { outcome: "failed", decision: "keep" },
      "was first, but its server died and nothing was kept (unverified: the server that asked did not write this). Start the agent's client again, and have it ask once more.",
    ],
  ])("is told in its own words: %j", (given, overrides, text) => {
    const stage = new Stage();
    stage.waits([fact]);
    const ending: Ending = {
      kind: "won",
      receipt: receipt({ id: fact.id, kind: "fact", decision: given.decision, ...overrides }),
      isVerified: true,
    };
    stage.feed({ kind: "answered", request: fact, given, ending, at: stage.at });
    expect(stage.notices.at(-1)).toContain(text);
  });

  it("elsewhere closes the card and says so", () => {
    const stage = new Stage();
    stage.waits([fact, other]);
    const kept = receipt({ id: fact.id, kind: "fact", decision: "keep", scope: "always", via: "cli" });
    stage.feed({ kind: "left", request: fact, ending: { receipt: kept, proof: "proved" }, at: stage.at });
    stage.waits([other]);
    expect(stage.notices.at(-1)).toContain(
      "no longer waiting: answered in wisp facts (kept, global, terminal)",
    );
    expect(stage.model.card?.entry.key).toBe(other.id);
    stage.calmly("d");
    expect(stage.answers).toMatchObject([{ request: { id: other.id } }]);
  });
});
