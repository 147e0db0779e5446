/** A yes for longer than the connection, by keys and in words: its rule stands on the screen before it is given. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ApprovalRequest, Offer, Request } from "../../../src/broker/request/request.js";
import { linearText } from "../../../src/tui/components/linear.js";
import type { Size } from "../../../src/tui/screen/screen.js";
import { screenOf } from "../../../src/tui/screen/screen-of.js";
import { approvalRequest, offeringDraft, twoOffers } from "../../support/builders.js";
import { Stage, viewFor } from "../../support/tui-events.js";
import { dangerous, ended, receiptOf, toRun } from "../../support/tui-requests.js";

const wide = approvalRequest(offeringDraft());
const [exact = "", form = ""] = twoOffers().offers.map(({ rule }) => rule);

function opened(request: Request = wide, size: Size = { columns: 80, rows: 24 }, isLinear = false): Stage {
  const stage = new Stage(size, 0, isLinear);
  stage.waits([request]);
  stage.wait(1_000);
  return stage;
}

function offering(...rules: readonly string[]): ApprovalRequest {
  const offers = rules.map((rule): Offer => ({ rule, matches: null, misses: null }));
  return approvalRequest(offeringDraft({ remember: { days: 7, offers } }));
}

function card(stage: Stage) {
  const { body } = screenOf(stage.model);
  if (body.kind !== "work") throw new Error("No card is open.");
  return body.card;
}

/** What stands behind each label. */
function rows(stage: Stage): readonly string[] {
  return card(stage).rows.map(({ label, text }) => `${label}: ${text}`);
}

function given(stage: Stage) {
  return stage.answers.map((answer) => answer.given);
}

describe("a key for longer than the connection", () => {
  it.each([
    ["p", "project", "in: /home/p/api"],
    ["a", "always", "in: every directory"],
  ])("%s shows the rule whole, and takes the same key again", (key, scope, where) => {
    const stage = opened();
    stage.calmly(key);
    expect(card(stage).title).toBe("Remember this rule?");
    expect(rows(stage)).toEqual([`remembers: ${exact}`, "for: 30 days", where, "form: 1 of 2"]);
    expect(card(stage).foot.join(" ")).toBe(
      `${key} again approves it and remembers this; ↑↓ or a digit shows another form; anything else leaves it.`,
    );
    stage.wait(499).press(key);
    expect(stage.answers).toEqual([]);
    stage.calmly(key);
    expect(given(stage)).toEqual([{ decision: "approve", scope, note: null, rule: exact }]);
  });

  it.each(["y", "s", "n", "d", "r", "D", "tab", "escape", "w", "v", "return", "space", "o"])(
    "%s leaves the rule and answers nothing",
    (other) => {
      const stage = opened();
      stage.calmly("p");
      stage.calmly(other);
      expect(stage.answers).toEqual([]);
      expect(stage.model.card).toMatchObject({ confirming: null, form: null });
      expect(stage.model.prompt).toBeNull();
      if (stage.model.page !== null) stage.press("escape");
      stage.calmly("p");
      expect(stage.answers).toEqual([]);
      stage.calmly("p");
      expect(stage.answers).toHaveLength(1);
    },
  );

  it("that another key was to confirm shows its own rule first", () => {
    const stage = opened();
    stage.calmly("p");
    stage.calmly("a");
    expect(stage.answers).toEqual([]);
    expect(rows(stage)).toContain("in: every directory");
    stage.calmly("a");
    expect(given(stage).map(({ scope }) => scope)).toEqual(["always"]);
  });

  it("that comes too early leaves the rule where it is, and one between takes it away", () => {
    const stage = opened();
    stage.calmly("p");
    stage.wait(100).press("p");
    expect(stage.model.card?.form).not.toBeNull();
    stage.wait(100).press("d");
    expect(stage.model.card?.form).toBeNull();
    stage.calmly("p");
    expect(stage.answers).toEqual([]);
    stage.calmly("p");
    expect(stage.answers).toHaveLength(1);
  });

  it.each([
    ["down", 1],
    ["up", 1],
    ["2", 1],
    ["1", 0],
  ])("%s shows another form with its preview, which begins the grace anew", (key, index) => {
    const stage = opened();
    stage.calmly("p");
    stage.isDrawing = false;
    stage.calmly(key);
    expect(stage.model.card?.form?.index).toBe(index);
    if (index === 1) {
      expect(rows(stage)).toEqual([
        `remembers: ${form}`,
        "for: 30 days",
        "in: /home/p/api",
        "also: git push origin dev",
        "but not: git push --force",
        "form: 2 of 2",
      ]);
      stage.calmly("p");
      expect(stage.answers).toEqual([]);
    }
    stage.draw();
    stage.calmly("p");
    expect(given(stage)).toMatchObject([{ scope: "project", rule: index === 1 ? form : exact }]);
  });

  it("knows no form beyond those that are offered, and a digit alone remembers none", () => {
    const stage = opened();
    stage.calmly("p");
    stage.calmly("3");
    expect(stage.notices.at(-1)).toBe("There is no form 3; they are 1 to 2.");
    expect(stage.model.card?.form?.index).toBe(0);
    stage.calmly("2");
    expect(stage.notices).toEqual([]);
    for (const key of ["1", "2", "return", "space"]) stage.calmly(key);
    expect(stage.answers).toEqual([]);
  });

  it("takes no rule of which the end was not on the screen; End skips nothing", () => {
    const long = offering(`Bash(git ${Array.from({ length: 300 }, (_, index) => `word${index}`).join(" ")})`);
    const stage = opened(long);
    stage.calmly("p");
    stage.calmly("p");
    expect(stage.answers).toEqual([]);
    expect(stage.notices.at(-1)).toContain("Read the rule to its end");
    const seen = new Set(card(stage).rows.map(({ text }) => text));
    for (let pages = 0; pages < 40 && card(stage).below > 0; pages += 1) {
      stage.calmly("end");
      for (const { text } of card(stage).rows) seen.add(text);
    }
    expect([...seen].join("")).toContain(long.remember?.offers[0]?.rule);
    expect(stage.notices).toEqual([]);
    stage.calmly("p");
    expect(given(stage)).toMatchObject([{ rule: long.remember?.offers[0]?.rule }]);
  });

  it("is read anew where the window has another size, or the card says something else", () => {
    const long = offering(`Bash(git ${"x".repeat(1_500)})`);
    const stage = opened(long, { columns: 120, rows: 60 });
    stage.calmly("p");
    stage.resize(60, 20);
    stage.calmly("p");
    expect(stage.answers).toEqual([]);
    stage.resize(120, 60);
    stage.shows(long.id, viewFor(long, 0, { card: viewFor(toRun("other")).card }));
    expect(stage.model.card).toMatchObject({ confirming: null, form: null });
    stage.calmly("p");
    stage.calmly("p");
    expect(stage.answers).toHaveLength(1);
  });

  it.each([
    ["nothing is offered", approvalRequest({ scopes: ["once", "session", "project", "always"] })],
    ["the scope is not", approvalRequest(offeringDraft({ scopes: ["once", "session"] }))],
  ])("is refused where %s, and names what is", (_what, request) => {
    for (const key of ["p", "a"]) {
      const stage = opened(request);
      stage.calmly(key);
      stage.calmly(key);
      expect(stage.answers).toEqual([]);
      expect(stage.notices.at(-1)).toContain("it offers once, session.");
      stage.calmly("y");
      expect(stage.answers).toHaveLength(1);
    }
  });

  it("is refused of what has ended", () => {
    const stage = opened(toRun("ls"));
    stage.calmly("/");
    stage.type("late");
    stage.press("return");
    stage.feed({ kind: "late", requests: [ended(wide)], at: stage.at });
    stage.calmly("j");
    for (const key of ["p", "p", "a", "a"]) stage.calmly(key);
    expect(stage.answers).toEqual([]);
    stage.calmly("y");
    expect(stage.answers).toMatchObject([{ kind: "answer-late", given: { scope: "once" } }]);
  });
});

describe("what became of a yes for longer than the connection", () => {
  const yes = { decision: "approve", scope: "project", note: null, rule: exact } as const;
  const answered = (scope: "project" | "once", note: string | null): readonly string[] => {
    const stage = opened();
    const receipt = receiptOf(wide, { via: "tui", decision: "approve", scope, note });
    const ending = { kind: "won", receipt, isVerified: true } as const;
    stage.feed({ kind: "answered", request: wide, given: yes, ending, at: stage.at });
    return stage.notices;
  };

  it("is told with the rule in a line of its own", () => {
    expect(answered("project", null)).toEqual([
      "approved (project, 30 days, terminal): git push origin main — for test-client",
      `remembered: ${exact}`,
    ]);
  });

  it("is told to count once where nothing could be remembered, and why", () => {
    expect(answered("once", "nothing is remembered: the disk is full")).toEqual([
      'approved (once, terminal): git push origin main — for test-client: "nothing is remembered: the disk is full"',
    ]);
  });
});

describe("what is dangerous", () => {
  const grave = dangerous({ scopes: ["once", "session"] });

  it.each([
    ["p", "project"],
    ["a", "always"],
  ])("is approved by %s for the session, after that was said and the word typed", (key, scope) => {
    const stage = opened(grave, { columns: 80, rows: 40 });
    stage.calmly(key);
    expect(card(stage).foot.join(" ")).toBe(
      `Dangerous: remembered for the session at most. ${key} again approves it for the session; anything else leaves it.`,
    );
    stage.calmly(key);
    expect(stage.answers).toEqual([]);
    expect(screenOf(stage.model).input?.prompt).toBe("type main to approve (session):");
    stage.wait(1_000).type("main");
    stage.press("return");
    expect(given(stage)).toEqual([
      { decision: "approve", scope: "session", note: null, downgradedFrom: scope },
    ]);
  });

  it("is said to be remembered for the session at most also while what that covers is unread", () => {
    const stage = opened(dangerous({ scopes: ["once", "session"], says: "x ".repeat(3_000) }), {
      columns: 80,
      rows: 20,
    });
    stage.calmly("p");
    expect(stage.notices.at(-1)).toBe(
      "Dangerous: remembered for the session at most. Read what a yes for the session covers (End) before you give it.",
    );
    expect(stage.answers).toEqual([]);
    stage.calmly("end");
    stage.calmly("p");
    expect(card(stage).foot.join(" ")).toContain("p again approves it for the session");
  });

  it("takes no more than once where the session is not offered", () => {
    const stage = opened(dangerous({ scopes: ["once"] }));
    stage.calmly("p");
    stage.calmly("p");
    expect(stage.model.prompt).toBeNull();
    expect(stage.notices.at(-1)).toContain("it offers once.");
  });
});

describe("words for longer than the connection", () => {
  function said(stage: Stage, words: string): Stage {
    stage.wait(1_000).type(words);
    stage.press("return");
    return stage;
  }
  const listening = (request: Request = wide): Stage => opened(request, { columns: 120, rows: 500 }, true);
  const lines = (stage: Stage): readonly string[] => linearText(screenOf(stage.model));

  it.each(["project", "always"])("are said twice, and say the rule between: %s", (scope) => {
    const stage = said(listening(), scope);
    expect(stage.answers).toEqual([]);
    expect(lines(stage)).toContain(`Remembers: ${exact}`);
    expect(lines(stage)).toContain(
      `${scope} 1, said again, approves it and remembers this; another number says another form; anything else leaves it.`,
    );
    expect(given(said(stage, scope))).toEqual([{ decision: "approve", scope, note: null, rule: exact }]);
  });

  it("take the number of a form, and remember the one that was said last", () => {
    const stage = said(said(listening(), "project"), "project 2");
    expect(stage.answers).toEqual([]);
    expect(lines(stage)).toContain(`Remembers: ${form}`);
    expect(said(stage, "always 2").answers).toEqual([]);
    expect(given(said(stage, "always 2"))).toMatchObject([{ scope: "always", rule: form }]);
  });

  it.each(["project 3", "why", "project 1 2"])("are forgotten where something else is said: %s", (other) => {
    const stage = said(said(listening(), "project 2"), other);
    if (stage.model.page !== null) said(stage, "back");
    expect(stage.answers).toEqual([]);
    if (other !== "project 3") expect(stage.model.card?.form).toBeNull();
    said(said(stage, "project 1"), "project 1");
    expect(given(stage)).toMatchObject([{ rule: exact }]);
  });

  it("give the session to what is dangerous, said twice", () => {
    const stage = said(listening(dangerous({ scopes: ["once", "session"] })), "project");
    expect(lines(stage).join("\n")).toContain("project, said again, approves it for the session");
    said(stage, "project");
    expect(screenOf(stage.model).input?.prompt).toBe("type main to approve (session):");
  });

  it("stand among the words of what offers them", () => {
    expect(lines(listening()).at(-1)).toContain("approve, session, project, always, deny");
    expect(lines(listening(toRun("ls"))).at(-1)).not.toContain("project");
  });
});

describe("whatever is pressed", () => {
  it("an answer's rule stood on the screen in full before it, as the same key's", () => {
    const moves = ["up", "down", "pagedown", "end", "end", "home", "escape"];
    const keys = fc.constantFrom(..."ppppppppaaaayw123".split(""), ...moves);
    const rule = fc.integer({ min: 1, max: 700 }).map((length) => `Bash(x ${"ab c".repeat(length)})`);
    let count = 0;
    fc.assert(
      fc.property(
        fc.uniqueArray(rule, { minLength: 1, maxLength: 3 }),
        fc.array(fc.tuple(fc.constantFrom(100, 600, 600, 600), keys), { maxLength: 40 }),
        fc.constantFrom([80, 24], [60, 16], [160, 40]),
        (rules, pressed, [columns = 80, rowCount = 24]) => {
          const stage = opened(offering(...rules), { columns, rows: rowCount });
          // The rows of what is shown that have been on the screen, by where they stand.
          let rowsSeen = new Map<number, string>();
          let standing = "";
          for (const [ms, key] of pressed) {
            stage.wait(ms).press(key);
            const answer = given(stage)[0];
            if (answer !== undefined) {
              if (!("rule" in answer)) return;
              count += 1;
              expect([...rowsSeen.keys()].sort((a, b) => a - b)).toEqual(
                [...rowsSeen.keys()].map((_, at) => at),
              );
              const text = [...rowsSeen]
                .sort(([a], [b]) => a - b)
                .map(([, row]) => row)
                .join("");
              expect([text, `${answer.scope}`]).toEqual([answer.rule, standing.split(" ")[0]]);
              return;
            }
            const { form: shown, confirming } = stage.model.card ?? {};
            const now = shown == null ? "" : `${confirming === "p" ? "project" : "always"} ${shown.index}`;
            if (now !== standing) rowsSeen = new Map();
            standing = now;
            if (shown == null || stage.model.page !== null) continue;
            card(stage).rows.forEach(({ text, tone }, row) => {
              if (tone === "content") rowsSeen.set(shown.scroll + row, text);
            });
          }
        },
      ),
      { numRuns: 300 },
    );
    expect(count).toBeGreaterThan(10);
  });
});
