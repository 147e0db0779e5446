import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Scope } from "../../../src/broker/request/scope.js";
import { approvalRequest, offeringDraft, twoOffers } from "../../support/builders.js";
import { Stage, viewFor } from "../../support/tui-events.js";
import { dangerous, ended, toRun } from "../../support/tui-requests.js";

const every: readonly Scope[] = ["once", "session", "project", "always"];
const wide = approvalRequest(offeringDraft());

function opened(request = wide, size = { columns: 80, rows: 24 }): Stage {
  const stage = new Stage(size);
  stage.waits([request]);
  return stage;
}

describe("a key that decides", () => {
  it.each([
    ["y", { decision: "approve", scope: "once", note: null }],
    ["s", { decision: "approve", scope: "session", note: null }],
    ["d", { decision: "deny", scope: null, note: null }],
  ])("%s answers what is open, once", (key, given) => {
    const stage = opened();
    stage.calmly(key);
    expect(stage.answers).toEqual([{ kind: "answer", request: wide, given }]);
    for (const again of ["y", "s", "d"]) stage.calmly(again);
    expect(stage.answers).toHaveLength(1);
    expect(stage.notices.at(-1)).toContain("under way");
  });

  it.each(["s", "p", "a"])("%s is refused where its scope is not offered, and y is not", (key) => {
    const stage = opened(approvalRequest());
    for (let times = 0; times < 3; times += 1) stage.calmly(key);
    expect(stage.answers).toEqual([]);
    expect(stage.notices.at(-1)).toContain("not offered");
    stage.calmly("y");
    expect(stage.answers).toHaveLength(1);
  });

  it("r denies with the reason that is typed, and not without one", () => {
    const stage = opened();
    stage.calmly("r");
    stage.press("return");
    expect(stage.answers).toEqual([]);
    stage.type("use npm ci");
    stage.press("return");
    expect(stage.answers.map(({ given }) => given)).toEqual([
      { decision: "deny", scope: null, note: "use npm ci" },
    ]);
  });

  it("n approves once with the note that is typed, and not without one", () => {
    const stage = opened();
    stage.calmly("n");
    for (const blank of ["return", "space", "return"]) stage.press(blank);
    expect(stage.answers).toEqual([]);
    stage.type("and tell me");
    stage.press("return");
    expect(stage.answers.map(({ given }) => given)).toEqual([
      { decision: "approve", scope: "once", note: "and tell me" },
    ]);
  });

  it("l leaves it without a decision and opens the next", () => {
    const other = toRun("npm test");
    const stage = new Stage();
    stage.waits([wide, other]);
    stage.calmly("l");
    expect(stage.model.card?.entry.key).toBe(other.id);
    stage.calmly("l");
    expect(stage.model.card?.entry.key).toBe(wide.id);
    expect(stage.answers).toEqual([]);
  });
});

describe("what speaks against a yes", () => {
  const yes = ["y", "s", "p", "a", "n"];

  it.each(["the request was changed after it was filed", "the whole text of what runs is missing"] as const)(
    "(%s) leaves no key that approves, and is said",
    (objection) => {
      const stage = opened();
      stage.shows(wide.id, viewFor(wide, 0, { objection }));
      for (const key of [...yes, ...yes]) stage.calmly(key);
      expect(stage.answers).toEqual([]);
      expect(stage.model.prompt).toBeNull();
      expect(stage.notices.at(-1)).toContain(objection);
      stage.calmly("d");
      expect(stage.answers.map(({ given }) => given.decision)).toEqual(["deny"]);
    },
  );

  it("that must be signed leaves no key that approves", () => {
    const stage = opened(toRun("git push", { scopes: [...every], assurance: "signed" }));
    for (const key of [...yes, ...yes]) stage.calmly(key);
    expect(stage.answers).toEqual([]);
    expect(stage.notices.at(-1)).toContain("signed");
    stage.calmly("d");
    expect(stage.answers).toHaveLength(1);
  });

  it("may appear while a note is typed, and still counts", () => {
    const stage = opened();
    stage.calmly("n");
    stage.type("fine");
    stage.shows(wide.id, viewFor(wide, 0, { objection: "the request was changed after it was filed" }));
    for (let times = 0; times < 3; times += 1) stage.calmly("return");
    expect(stage.answers).toEqual([]);
    stage.press("escape");
    stage.calmly("d");
    expect(stage.answers).toHaveLength(1);
  });

  it("is also that nothing can be seen of it", () => {
    const stage = opened();
    stage.resize(30, 8);
    for (const key of [...yes, "d"]) stage.calmly(key);
    stage.resize(80, 24);
    stage.calmly("?");
    for (const key of [...yes, "d"]) stage.calmly(key);
    expect(stage.answers).toEqual([]);
    stage.calmly("escape");
    stage.calmly("d");
    expect(stage.answers).toHaveLength(1);
  });
});

describe("a text about a card", () => {
  it.each(["n", "r"])("(%s) that changed meanwhile is ended by a second Enter alone", (key) => {
    const stage = opened();
    stage.calmly(key);
    stage.type("because");
    stage.shows(wide.id, viewFor(wide, 0, { card: viewFor(toRun("git push origin dev")).card }));
    stage.wait(5_000).press("return");
    expect(stage.answers).toEqual([]);
    expect(stage.model.prompt?.line.text).toBe("because");
    stage.calmly("return");
    expect(stage.answers.map(({ given }) => given.note)).toEqual(["because"]);
  });

  it("is not ended by an Enter that comes too soon after the card changed", () => {
    const stage = opened();
    stage.calmly("n");
    stage.waits([wide], { detached: [wide.id] });
    stage.type("go");
    stage.press("return");
    expect(stage.answers).toEqual([]);
    stage.wait(499).press("return");
    expect(stage.answers).toHaveLength(1);
  });

  it("that is gone moves to the input box, and hits no other card", () => {
    const other = toRun("npm test");
    const stage = opened();
    stage.waits([wide, other]);
    stage.calmly("r");
    stage.type("it ");
    stage.feed({ kind: "left", request: wide, ending: null, at: stage.at });
    stage.waits([other]);
    for (const key of "days") stage.wait(900).press(key);
    expect(stage.model.box?.text).toBe("it days");
    expect(stage.model.card).toBeNull();
    stage.calmly("return");
    expect(stage.answers).toEqual([]);
    expect(stage.model.box?.text).toBe("it days");
    stage.press("escape");
    expect(stage.model.card?.entry.key).toBe(other.id);
    stage.calmly("d");
    expect(stage.answers.map(({ request: { id } }) => id)).toEqual([other.id]);
  });
});

describe("what has ended", () => {
  const low = toRun("git status", { level: "low", scopes: ["once", "session"] });
  const grave = dangerous();

  function withLate(): Stage {
    const stage = opened();
    stage.calmly("/");
    stage.type("late");
    expect(stage.press("return")).toContainEqual({ kind: "load-late" });
    stage.feed({ kind: "late", requests: [ended(low), ended(grave)], at: stage.at });
    return stage;
  }

  it("stands behind what waits, and is answered for one call alone", () => {
    const stage = withLate();
    expect(stage.model.queue.entries.map(({ kind }) => kind)).toEqual(["one", "late", "late"]);
    stage.calmly("j");
    stage.calmly("s");
    expect(stage.answers).toEqual([]);
    stage.calmly("y");
    expect(stage.answers).toEqual([
      { kind: "answer-late", request: low, given: { decision: "approve", scope: "once", note: null } },
    ]);
  });

  it("and is dangerous takes no yes, and a no", () => {
    const stage = withLate();
    stage.calmly("j");
    stage.calmly("j");
    stage.calmly("y");
    expect(stage.model.prompt).toBeNull();
    expect(stage.notices.at(-1)).toContain("dangerous");
    stage.calmly("d");
    expect(stage.answers.map(({ kind, given }) => [kind, given.decision])).toEqual([["answer-late", "deny"]]);
  });
});

describe("Enter, space and digits", () => {
  it("never approve, whatever came before them, but for a text that was typed", () => {
    const key = fc.constantFrom(
      "return",
      "space",
      ..."0123456789",
      ..."yspanrdDlvwjf?h".split(""),
      "escape",
      "tab",
    );
    const blind = new Set(["return", "space", ..."0123456789"]);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(0, 100, 600), key), { maxLength: 50 }), (keys) => {
        const stage = new Stage();
        stage.waits([wide, dangerous({ scopes: [...every], remember: twoOffers() }), toRun("npm test")]);
        for (const [ms, one] of keys) {
          stage.wait(ms);
          const { prompt } = stage.model;
          const before = stage.answers.length;
          stage.press(one);
          const given = stage.answers.slice(before).filter((answer) => answer.given.decision === "approve");
          if (given.length === 0 || !blind.has(one)) continue;
          expect(one).toBe("return");
          expect(prompt?.line.text.trim()).not.toBe("");
          if (prompt?.kind === "word") expect(prompt.line.text).toBe(prompt.expected);
          else expect(prompt?.kind).toBe("note");
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
