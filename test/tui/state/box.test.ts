import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { approvalRequest, offeringDraft } from "../../support/builders.js";
import { Stage } from "../../support/tui-events.js";
import { manyOf, toRun } from "../../support/tui-requests.js";

const request = toRun("git push");
const other = toRun("npm test");

describe("the input box", () => {
  it.each([
    ["/", "/"],
    ["i", ""],
  ])("is entered by %s, emptied and left by Esc", (key, text) => {
    const stage = new Stage();
    stage.waits([request]);
    stage.press(key);
    expect(stage.model.box?.text).toBe(text);
    stage.type("yes");
    expect(stage.model.box?.text).toBe(`${text}yes`);
    stage.press("escape");
    expect(stage.model.box).toBeNull();
    expect(stage.answers).toEqual([]);
    stage.calmly("y");
    expect(stage.answers).toHaveLength(1);
  });

  it.each([400, 900])(
    "takes all that is typed %i ms apart for text, whatever arrives and leaves meanwhile",
    (ms) => {
      const stage = new Stage();
      stage.press("i");
      stage.wait(ms).press("s");
      const text = "ay yes and pass dad y";
      [...text].forEach((character, index) => {
        if (index === 3) stage.waits([request]);
        if (index === 9) stage.waits([request, other]);
        if (index === 14) {
          stage.feed({ kind: "left", request, ending: null, at: stage.at });
          stage.waits([other]);
        }
        stage.wait(ms).press(character === " " ? "space" : character);
      });
      expect(stage.answers).toEqual([]);
      expect(stage.model.box?.text).toBe(`s${text}`);
      expect(stage.model.card).toBeNull();
      stage.press("escape");
      expect(stage.model.card?.entry.key).toBe(other.id);
      stage.wait(499).press("y");
      expect(stage.answers).toEqual([]);
      stage.calmly("y");
      expect(stage.answers).toHaveLength(1);
    },
  );

  it("lets what arrives wait in the queue and open when it is empty", () => {
    const stage = new Stage();
    stage.press("/");
    stage.waits([request]);
    expect(stage.model.card).toBeNull();
    expect(stage.model.unopened).toBe(1);
    expect(stage.notices.at(-1)).toContain("1 new request waits");
    stage.press("backspace");
    expect(stage.model.box?.text).toBe("");
    expect(stage.model.card?.entry.key).toBe(request.id);
    expect(stage.model.unopened).toBe(0);
  });

  it.each([
    ["hello", "begins with /"],
    ["/hlep", "/help"],
    ["/approvals approve zzzz", "Nothing waits"],
    ["/approvals deny no", "4 characters"],
    ["/facts keep k7q2mx9d", "Nothing waits"],
  ])("keeps what it cannot run and says why: %s", (wrong, why) => {
    const stage = new Stage();
    stage.waits([request]);
    stage.press("i");
    stage.type(wrong);
    expect(stage.press("return")).toEqual([]);
    expect(stage.model.box?.text).toBe(wrong);
    expect(stage.notices.at(-1)).toContain(why);
    stage.press("ctrl-u");
    stage.type("/help");
    stage.press("return");
    expect(stage.model.box).toBeNull();
    expect(stage.model.page?.kind).toBe("help");
  });

  it("puts what is pasted into one line, and runs nothing by it", () => {
    const stage = new Stage();
    stage.waits([request]);
    stage.press("/");
    stage.paste("approvals\r\npending\n\u001b[2J");
    expect(stage.model.box?.text).toBe("/approvals pending [2J");
    stage.press("ctrl-w", "return");
    expect(stage.model.box).toBeNull();
    expect(stage.answers).toEqual([]);
  });

  it("completes a command and an id", () => {
    const stage = new Stage();
    stage.waits([request]);
    stage.press("/");
    stage.type("app");
    stage.press("tab");
    stage.type("d");
    stage.press("tab", ...request.id.slice(0, 4), "tab");
    expect(stage.model.box?.text).toBe(`/approvals deny ${request.id} `);
  });

  it("edits at the caret, by whole characters", () => {
    const stage = new Stage();
    stage.press("i");
    stage.paste("ab👩‍👩‍👧é");
    stage.press("left", "backspace", "x", "home", "delete", "y", "end", "z");
    expect(stage.model.box?.text).toBe("ybxéz");
    stage.press("ctrl-w");
    expect(stage.model.box?.text).toBe("");
  });

  it("is left with Ctrl-C, as everything is", () => {
    const stage = new Stage();
    stage.press("/");
    expect(stage.press("ctrl-c")).toEqual([{ kind: "quit" }]);
  });
});

describe("commands of the input box", () => {
  function ran(command: string): Stage {
    const stage = new Stage();
    stage.waits([request, other]);
    stage.wait(1_000);
    stage.press("/");
    stage.type(command);
    stage.press("return");
    return stage;
  }

  it("deny whatever waits, with the reason", () => {
    const stage = ran(`approvals deny ${other.id} not now`);
    expect(stage.answers).toMatchObject([{ request: { id: other.id }, given: { note: "not now" } }]);
    expect(stage.model.box).toBeNull();
  });

  it("approve only what is open and was seen; anything else they open", () => {
    const elsewhere = ran(`approvals approve ${other.id}`);
    expect(elsewhere.answers).toEqual([]);
    expect(elsewhere.model.card?.entry.key).toBe(other.id);
    elsewhere.wait(499).press("y");
    expect(elsewhere.answers).toEqual([]);
    expect(ran(`approvals approve ${request.id}`).answers).toMatchObject([{ request: { id: request.id } }]);
  });

  it("approve nothing that a page covered until a moment ago", () => {
    const stage = new Stage();
    stage.waits([request]);
    stage.calmly("w");
    stage.press("i");
    stage.paste("/approvals pending");
    stage.calmly("return");
    expect(stage.model.page).toBeNull();
    stage.press("i");
    stage.press(...[...`/approvals approve ${request.id}`].map((one) => (one === " " ? "space" : one)));
    stage.wait(499).press("return");
    expect(stage.answers).toEqual([]);
    stage.wait(1).press("return");
    expect(stage.answers).toHaveLength(1);
  });

  it("approve nothing whose end was not seen, and no scope that is not offered", () => {
    const long = toRun(Array.from({ length: 400 }, (_, index) => `echo ${index}`).join("\n"));
    const stage = new Stage();
    stage.waits([long]);
    const command = `/approvals approve ${long.id}`;
    for (const typed of [command, `${command} session`]) {
      stage.wait(1_000).press("i");
      stage.type(typed);
      stage.press("return");
      expect(stage.answers).toEqual([]);
      stage.press("end");
    }
    expect(stage.notices.at(-1)).toContain("session");
    stage.press("i");
    stage.type(command);
    stage.press("return");
    expect(stage.answers).toHaveLength(1);
  });

  it.each([
    ["project", "p"],
    ["always", "a"],
  ])("remember no rule for %s that was not shown", (scope, key) => {
    const wide = approvalRequest(offeringDraft());
    const stage = new Stage();
    stage.waits([wide]);
    stage.wait(1_000).press("i");
    stage.type(`/approvals approve ${wide.id} ${scope}`);
    stage.press("return");
    expect(stage.answers).toEqual([]);
    expect(stage.model.card).toMatchObject({ confirming: key, form: { index: 0 } });
    stage.wait(499).press(key);
    expect(stage.answers).toEqual([]);
    stage.calmly(key);
    expect(stage.answers.map(({ given }) => given.scope)).toEqual([scope]);
  });

  it("open what a filter hid", () => {
    const stage = new Stage();
    stage.waits([request, other]);
    stage.press("f");
    stage.type("npm");
    stage.press("return");
    expect(stage.model.queue.entries).toHaveLength(1);
    stage.press("i");
    stage.type(`/approvals approve ${request.id}`);
    stage.press("return");
    expect(stage.answers).toEqual([]);
    expect(stage.model.card?.entry.key).toBe(request.id);
  });

  it("leave with /quit and answer nothing", () => {
    expect(ran("quit").effects).toContainEqual({ kind: "quit" });
    expect(ran("quit").answers).toEqual([]);
  });
});

describe("any keys while the input box has the focus", () => {
  it("are text if they print, and do nothing else", () => {
    const printable = fc.oneof(
      fc.constantFrom(..."yspandrDlvwjkfhiq?/123 \u2028\u2029".split("")),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
    );
    const times = fc.constantFrom(0, 50, 400, 600, 900, 5_000);
    fc.assert(
      fc.property(fc.array(fc.tuple(times, printable, fc.boolean()), { maxLength: 40 }), (keys) => {
        const stage = new Stage();
        stage.waits([request]);
        stage.press("i");
        const before = stage.effects.length;
        let expected = "";
        keys.forEach(([ms, character, isNews], index) => {
          const clean = [...character].filter((one) => !/\p{Cc}/u.test(one));
          stage.wait(ms);
          if (isNews) stage.waits(index % 2 === 0 ? [request, other] : [request]);
          for (const one of character) stage.press(one === " " ? "space" : one);
          // A line is one line.
          expected += clean.join("").replace(/[\u2028\u2029]/g, " ");
        });
        expect(stage.model.box?.text).toBe(expected);
        expect(stage.effects.slice(before).filter(({ kind }) => kind !== "look" && kind !== "ring")).toEqual(
          [],
        );
      }),
      { numRuns: 300 },
    );
  });
});

describe("a face that is read line by line", () => {
  function linear(): Stage {
    const stage = new Stage({ columns: 80, rows: 1_000 }, 0, true);
    stage.waits([request, other]);
    stage.wait(1_000);
    return stage;
  }

  function said(stage: Stage, words: string): Stage {
    stage.type(words);
    stage.press("return");
    return stage;
  }

  it.each([
    ["approve", { decision: "approve", scope: "once", note: null }],
    ["deny", { decision: "deny", scope: null, note: null }],
    ["deny use npm ci", { decision: "deny", scope: null, note: "use npm ci" }],
  ])("answers by a typed word: %s", (words, given) => {
    expect(said(linear(), words).answers).toEqual([{ kind: "answer", request, given }]);
  });

  it("keeps the focus in the box, so that no single key ever decides", () => {
    const stage = linear();
    for (const key of ["y", "escape", "d", "escape", "s", "return"]) stage.calmly(key);
    expect(stage.answers).toEqual([]);
    stage.press("escape");
    expect(said(stage, "next").model.card?.entry.key).toBe(other.id);
    stage.wait(1_000);
    expect(said(stage, "deny").answers).toMatchObject([{ request: { id: other.id } }]);
  });

  it.each(["deny", "deny no", "approve"])(
    "answers by no word what came before whoever said it meanwhile: %s",
    (words) => {
      const stage = linear();
      stage.feed({ kind: "left", request, ending: null, at: stage.at });
      stage.waits([other]);
      stage.wait(5);
      expect(said(stage, words).answers).toEqual([]);
      expect(stage.notices.at(-1)).toContain("changed");
      stage.wait(500).press("return");
      expect(stage.answers).toMatchObject([{ request: { id: other.id } }]);
    },
  );

  it("denies no more than there were when it was said", () => {
    const many = manyOf("git", 9, 100);
    const stage = new Stage({ columns: 80, rows: 1_000 }, 0, true);
    stage.waits(many.slice(0, 8));
    stage.wait(1_000).type("deny al");
    stage.waits(many);
    stage.type("l");
    stage.press("return");
    expect(stage.answers).toEqual([]);
    stage.wait(1_000).press("return");
    expect(stage.answers.map((answer) => answer.request)).toEqual(many);
  });

  it("approves for the session by its own word", () => {
    const stage = new Stage({ columns: 80, rows: 1_000 }, 0, true);
    stage.waits([toRun("ls", { scopes: ["once", "session"] })]);
    stage.wait(1_000);
    expect(said(stage, "session").answers.map(({ given }) => given.scope)).toEqual(["session"]);
  });

  it.each(["deny", "approve", "session"])("answers no row of many by a word for one: %s", (word) => {
    const stage = new Stage({ columns: 80, rows: 1_000 }, 0, true);
    const many = manyOf("git", 9, 100);
    stage.waits(many);
    stage.wait(1_000);
    expect(said(stage, word).answers).toEqual([]);
    expect(stage.notices.at(-1)).toContain("deny all");
    stage.wait(1_000);
    expect(said(stage, "deny all").answers.map((answer) => answer.given.decision)).toEqual(
      many.map(() => "deny"),
    );
  });

  it("denies one alone where one is open and all are said", () => {
    const stage = linear();
    expect(said(stage, "deny all").answers).toEqual([]);
    expect(stage.notices.at(-1)).toContain("say deny");
    stage.wait(1_000);
    expect(said(stage, "deny").answers).toHaveLength(1);
  });

  it("approves nothing that changed while the word was typed, but by a second Enter", () => {
    const stage = linear();
    stage.type("approve");
    stage.waits([request, other], { detached: [request.id] });
    stage.wait(3_000).press("return");
    expect(stage.answers).toEqual([]);
    expect(stage.notices.at(-1)).toContain("changed");
    stage.wait(1_000).press("return");
    expect(stage.answers).toHaveLength(1);
  });
});
