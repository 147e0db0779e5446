import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wide } from "../../../src/face/wide.js";
import {
  drawable,
  frameRows,
  headerRows,
  keyRows,
  queueHeadingRows,
} from "../../../src/tui/screen/measures.js";
import type { Screen } from "../../../src/tui/screen/screen.js";
import { screenOf } from "../../../src/tui/screen/screen-of.js";
import { approvalRequest } from "../../support/builders.js";
import { Stage, viewFor, wallZero } from "../../support/tui-events.js";
import {
  dangerous,
  ended,
  factToKeep,
  manyOf,
  otherKind,
  toAnswer,
  toRun,
} from "../../support/tui-requests.js";

/** Rows that a screen takes with its frames. */
function heightOf({ header, body, notices, input, keys, size }: Screen): number {
  const isBare = body.kind === "tiny";
  const others = notices.length + (input === null ? 0 : 1) + keyRows(keys, size.columns).length;
  return (isBare && header.waits === "" ? 0 : headerRows) + bodyHeight(body) + others;
}

function bodyHeight(body: Screen["body"]): number {
  switch (body.kind) {
    case "tiny":
      return body.lines.length;
    case "empty":
    case "pages":
      return body.lines.length + frameRows;
    case "work": {
      const { queue, card, layout } = body;
      const left = queue.rows.length === 0 ? 0 : queue.rows.length + queueHeadingRows;
      const right = card.rows.length + card.foot.length + frameRows;
      return layout === "panes" ? Math.max(left, right) : left + right;
    }
    default:
      return body satisfies never;
  }
}

/** Names of what is drawn nowhere: words of ours, and what tells one row from another. */
const undrawn: ReadonlySet<string> = new Set(["kind", "tone", "layout", "key"]);

/** Every text on a screen but for those whose name is among `others`. */
function textsOf(screen: Screen, others: ReadonlySet<string> = new Set()): readonly string[] {
  const texts: string[] = [];
  JSON.stringify(screen, (name, value: unknown) => {
    if (typeof value === "string" && !others.has(name)) texts.push(value);
    return value;
  });
  return texts;
}

const forbidden =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u;

const hostile = [
  "git push \u001b]52;c;cm0gLXJmIH4=\u0007 origin",
  "npm publish\rgit status             ",
  "git push origin \u202eniam",
  "git\u200b push",
  "git status \u{e0072}\u{e006d}",
  "g\u0456t push",
  `echo ${"A".repeat(5_000)}`,
  `x${"\n".repeat(60)}rm -rf ~`,
  "漢".repeat(500),
  `e${"\u0301".repeat(50)}`,
  "a\u009b2Jb\u0085c",
  "👩‍👩‍👧".repeat(90),
];

/** Everything that can stand on a screen, in a window of that size. */
function stages(columns: number, rows: number, text: string): readonly Stage[] {
  const open = (...requests: Parameters<Stage["waits"]>[0]): Stage => {
    const stage = new Stage({ columns, rows });
    stage.waits(requests);
    return stage;
  };
  const request = toRun(text, {
    says: text,
    rule: text,
    thread: text,
    client: { name: text, version: text },
  });
  const stagesOf: Stage[] = [
    new Stage({ columns, rows }),
    open(request),
    open(otherKind("fact"), otherKind("question")),
  ];
  const texts = { client: { name: text, version: text }, says: text, thread: text };
  const kept = open(
    factToKeep(
      {
        subject: text,
        name: text,
        value: text,
        source: text,
        directory: text,
        similar: [{ id: text, value: text }],
      },
      texts,
    ),
  );
  kept.calmly("end");
  kept.calmly("a");
  const options = ["1", "2", "3"].map((value) => ({ value, label: text, description: text }));
  const asked = toAnswer({ text, options, multiple: true, allowText: true }, texts);
  const chosen = open(asked);
  chosen.calmly("end");
  chosen.press("1", "3");
  const written = open(asked);
  written.calmly("o");
  written.paste(text);
  written.press("return");
  const answering = open(asked);
  answering.calmly("o");
  answering.paste(text);
  const many = open(...manyOf(text, 30, 10));
  const noted = open(request, dangerous());
  noted.feed({ kind: "left", request, ending: null, at: 0 });
  const typing = open(request);
  typing.press("i");
  typing.paste(text);
  const worded = open(dangerous());
  worded.press("end");
  worded.calmly("y");
  const pages = (["h", "?", "w"] as const).map((key) => {
    const stage = open(request);
    stage.press(key);
    stage.feed({
      kind: "history",
      entries: [
        { at: wallZero, id: "k7q2mx9d", outcome: "approved (once)", mark: "✓", what: "git", effect: null },
      ],
      at: 0,
    });
    return stage;
  });
  const unsafe = new Stage({ columns, rows });
  unsafe.waits([], {
    health: { kind: "unusable", complaint: { what: "Others can open it.", why: "0755", fix: "chmod 700 x" } },
  });
  return [...stagesOf, kept, chosen, written, answering, many, noted, typing, worded, ...pages, unsafe];
}

describe("a screen", () => {
  it("never takes more than its size, and no control byte, whatever waits", () => {
    const size = fc.tuple(fc.integer({ min: 1, max: 250 }), fc.integer({ min: 1, max: 70 }));
    fc.assert(
      fc.property(size, fc.constantFrom(...hostile), ([columns, rows], text) => {
        for (const stage of stages(columns, rows, text)) {
          const screen = screenOf(stage.model);
          expect(screen.size.columns).toBeLessThanOrEqual(columns);
          expect(heightOf(screen)).toBeLessThanOrEqual(drawable({ columns, rows }).rows);
          for (const one of textsOf(screen)) expect(one).not.toMatch(forbidden);
          for (const one of textsOf(screen, undrawn)) {
            expect(wide.of(one)).toBeLessThanOrEqual(drawable({ columns, rows }).columns);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    [39, 24],
    [80, 9],
    [20, 5],
    [1, 1],
  ])("of %i×%i has no room for a card: it lists what waits and answers nothing", (columns, rows) => {
    const stage = new Stage({ columns, rows });
    stage.waits([dangerous()]);
    const { body, keys } = screenOf(stage.model);
    expect(body).toMatchObject({ kind: "tiny" });
    expect(keys).toEqual([]);
    stage.resize(40, 10);
    expect(screenOf(stage.model).body.kind).toBe("work");
  });

  it("of 39×9 lists as many as there is room for, whichever is selected, and the whole way out", () => {
    const stage = new Stage({ columns: 80, rows: 24 });
    const requests = ["a", "b", "c", "d"].map((line) => toRun(`echo ${line}`));
    stage.waits(requests);
    stage.press("j", "j", "j");
    stage.resize(39, 9);
    const { body } = screenOf(stage.model);
    expect(body.kind === "tiny" ? body.lines : []).toEqual([
      "4 waiting.",
      ...requests.map(({ id }, index) => `${id} echo ${"abcd"[index]}`),
      "Enlarge this window, or: wisp",
      "approvals pending",
    ]);
    stage.resize(23, 3);
    expect(screenOf(stage.model).body).toMatchObject({
      lines: ["4 waiting.", expect.stringMatching(/^\w{8} echo d|^wisp approvals/)],
    });
  });

  it("where nothing waits says what of the person's files does", () => {
    const stage = new Stage({ columns: 80, rows: 24 });
    const line = "policy.json: 1 looser rule waits for: WISP_HOME=/tmp/x/home wisp accept, in a terminal";
    stage.waits([], { files: [line] });
    const { body } = screenOf(stage.model);
    expect(body.kind === "empty" ? body.lines.join(" ") : "").toContain(line);
  });

  it("of 39×9 says whole what is wrong with the channel", () => {
    const stage = new Stage({ columns: 39, rows: 9 });
    const complaint = { what: "The home is open to others of this account.", why: null, fix: "chmod 700 x" };
    stage.waits([], { health: { kind: "unusable", complaint } });
    expect(screenOf(stage.model).body).toMatchObject({
      lines: ["The home is open to others of this", "account.", "chmod 700 x"],
    });
  });

  it("shows the tail of what runs in every window that has room for a card", () => {
    const size = fc.tuple(fc.integer({ min: 40, max: 200 }), fc.integer({ min: 10, max: 60 }));
    fc.assert(
      fc.property(size, fc.constantFrom(...hostile), ([columns, rows], text) => {
        const stage = new Stage({ columns, rows });
        stage.waits([toRun(text)]);
        stage.press("end");
        expect(stage.model.card?.isSeen).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    [60, "stacked"],
    [80, "stacked"],
    [149, "stacked"],
    [150, "panes"],
    [200, "panes"],
  ] as const)("of %i columns is %s", (columns, layout) => {
    const stage = new Stage({ columns, rows: 40 });
    stage.waits([toRun("git push"), toRun("npm test")]);
    const { body } = screenOf(stage.model);
    expect(body).toMatchObject({ kind: "work", layout, queue: { rows: [{}, {}] } });
    stage.press("v");
    expect(screenOf(stage.model).body).toMatchObject({
      layout: "stacked",
      queue: { rows: [] },
      card: { columns: drawable({ columns, rows: 40 }).columns },
    });
  });
});

describe("the queue", () => {
  it("turns like pages, so that a move within one changes two rows", () => {
    const stage = new Stage();
    stage.waits(Array.from({ length: 100 }, (_, index) => approvalRequest({ thread: `${index}` })));
    const rowsNow = (): readonly string[] => {
      const { body } = screenOf(stage.model);
      return body.kind === "work" ? body.queue.rows.map(({ key }) => key) : [];
    };
    const before = rowsNow();
    stage.press("j");
    expect(rowsNow()).toEqual(before);
    for (let times = 0; times < before.length; times += 1) stage.press("j");
    expect(rowsNow()).not.toEqual(before);
    expect(screenOf(stage.model).body).toMatchObject({
      queue: { above: before.length, below: 100 - 2 * before.length },
    });
  });

  it("of 10,000 looks at what is visible alone", () => {
    const stage = new Stage();
    stage.waits(Array.from({ length: 10_000 }, (_, index) => approvalRequest({ thread: `${index}` })));
    let touched = 0;
    const entries = new Proxy(stage.model.queue.entries, {
      get(target, name, receiver) {
        if (typeof name === "string" && /^\d+$/.test(name)) touched += 1;
        return Reflect.get(target, name, receiver);
      },
    });
    const model = { ...stage.model, queue: { ...stage.model.queue, selected: 7_777, entries } };
    const { body } = screenOf(model);
    expect(touched).toBeLessThan(50);
    const rows = body.kind === "work" ? body.queue.rows : [];
    expect(rows.find(({ isSelected }) => isSelected)?.key).toBe(stage.model.queue.entries[7_777]?.key);
  });

  it("says what is detached, what has ended, and how long the others wait", () => {
    const stage = new Stage();
    const requests = [
      toRun("a"),
      toRun("b", { expiresAt: null }),
      toRun("c", { expiresAt: wallZero + 48_000 }),
    ];
    stage.waits(requests, { detached: [requests[0]?.id ?? ""] });
    stage.press("i");
    stage.type("/late");
    stage.press("return");
    stage.feed({ kind: "late", requests: [ended(toRun("d"))], at: stage.at });
    stage.feed({ kind: "tick", at: stage.at, now: wallZero });
    const { body } = screenOf(stage.model);
    const left = body.kind === "work" ? body.queue.rows.map((row) => row.left) : [];
    expect(left).toEqual(["detached", "", "0:48", "ended"]);
  });
});

describe("the input line", () => {
  it("shows the text around the caret, and the caret where the text is", () => {
    const stage = new Stage({ columns: 40, rows: 24 });
    stage.press("i");
    stage.type(`${"漢".repeat(30)}end`);
    const atEnd = screenOf(stage.model).input;
    expect(atEnd?.text.endsWith("end")).toBe(true);
    expect(atEnd?.caret).toBe(wide.of(atEnd?.text ?? ""));
    stage.press("home");
    const atStart = screenOf(stage.model).input;
    expect(atStart?.caret).toBe(0);
    expect(atStart?.text.startsWith("漢")).toBe(true);
    stage.press("right");
    expect(screenOf(stage.model).input?.caret).toBe(2);
  });

  it("asks for what has to be typed", () => {
    const stage = new Stage();
    stage.waits([dangerous()]);
    expect(screenOf(stage.model).input).toMatchObject({ prompt: "›", caret: null });
    stage.calmly("y");
    expect(screenOf(stage.model).input).toMatchObject({ prompt: "type main to approve (once):", caret: 0 });
  });
});

describe("what stands below a card", () => {
  it.each([
    [
      "an objection",
      (stage: Stage, id: string) =>
        stage.shows(id, viewFor(toRun("x"), 0, { objection: "the request was changed after it was filed" })),
      "changed after it was filed",
    ],
    ["an answer that is under way", (stage: Stage) => void stage.calmly("d"), "under way"],
  ] as const)("says why nothing answers: %s", (_what, disturb, text) => {
    const request = toRun("git push");
    const stage = new Stage();
    stage.waits([request]);
    expect(screenOf(stage.model).body).toMatchObject({ card: { foot: [] } });
    disturb(stage, request.id);
    const { body, keys } = screenOf(stage.model);
    expect(body.kind === "work" ? body.card.foot.join(" ") : "").toContain(text);
    expect(keys.find(({ key }) => key === "y")?.isDim).toBe(true);
  });
});
