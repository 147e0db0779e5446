/** No key decides that a person could have pressed before they saw what it decides. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { approvalRequest } from "../../support/builders.js";
import { Stage, viewFor } from "../../support/tui-events.js";
import { dangerous, toRun } from "../../support/tui-requests.js";

const request = approvalRequest();
const other = toRun("npm test");

/** What begins the grace anew, beside keys. Each is tried on a card that has stood for long. */
const disturbances: readonly (readonly [string, (stage: Stage) => void])[] = [
  [
    "the card says something else",
    (stage) => stage.shows(request.id, viewFor(request, 0, { objection: null, card: viewFor(other).card })),
  ],
  ["its agent stopped waiting", (stage) => void stage.waits([request, other], { detached: [request.id] })],
  ["the terminal was resized", (stage) => stage.resize(100, 30)],
  ["the terminal regained focus", (stage) => void stage.feed({ kind: "focused", at: stage.at })],
];

describe("the grace", () => {
  it("begins when a card appears, and a key at its end is taken", () => {
    const stage = new Stage();
    stage.waits([request]);
    stage.wait(499);
    stage.press("y");
    expect(stage.answers).toEqual([]);
    stage.wait(500);
    stage.press("y");
    expect(stage.answers).toHaveLength(1);
  });

  it.each(disturbances)("begins anew when %s", (_what, disturb) => {
    const stage = new Stage();
    stage.waits([request, other]);
    stage.wait(10_000);
    disturb(stage);
    stage.wait(499);
    stage.press("d");
    expect(stage.answers).toEqual([]);
    stage.wait(500);
    stage.press("d");
    expect(stage.answers.map(({ request: { id } }) => id)).toEqual([request.id]);
  });

  it("begins anew with the card that a key moves to, and with what a page had covered", () => {
    const stage = new Stage();
    stage.waits([request, other]);
    stage.calmly("j");
    stage.wait(499).press("d");
    expect(stage.answers).toEqual([]);
    stage.calmly("h");
    stage.calmly("y");
    stage.calmly("escape");
    stage.wait(499).press("d");
    expect(stage.answers).toEqual([]);
    stage.wait(500).press("d");
    expect(stage.answers.map(({ request: { id } }) => id)).toEqual([other.id]);
  });

  it("is not begun anew by a countdown, a look that finds the same, or others that arrive", () => {
    const stage = new Stage();
    stage.waits([request]);
    stage.wait(400);
    stage.feed({ kind: "tick", at: stage.at, now: 1_790_000_000_400 });
    stage.shows(request.id, viewFor(request, 1_790_000_000_400));
    stage.waits([request, other]);
    stage.wait(100).press("y");
    expect(stage.answers.map(({ request: { id } }) => id)).toEqual([request.id]);
  });

  it("drops a key that comes too early, begins anew with it, and says so once for each card", () => {
    const stage = new Stage();
    stage.waits([request, other]);
    for (let times = 0; times < 9; times += 1) stage.wait(499).press("y");
    expect(stage.answers).toEqual([]);
    expect(stage.notices.filter((text) => text.startsWith("Not yet"))).toHaveLength(1);
    for (let times = 0; times < 9; times += 1) stage.wait(499).press("y");
    expect(stage.answers).toEqual([]);
    expect(stage.notices).toEqual([]);
    stage.calmly("escape");
    expect(stage.notices).toEqual([]);
    stage.wait(499).press("y");
    expect(stage.notices).toEqual([]);
    stage.calmly("j");
    stage.wait(100).press("d");
    expect(stage.notices.filter((text) => text.startsWith("Not yet"))).toHaveLength(1);
  });

  it("lets no key that is held down decide anything, on no card", () => {
    const stage = new Stage();
    stage.waits([request, other]);
    for (const key of ["y", "d", "a", "s"])
      for (let times = 0; times < 100; times += 1) stage.wait(30).press(key);
    expect(stage.answers).toEqual([]);
    stage.wait(500).press("y");
    expect(stage.answers).toHaveLength(1);
  });

  it("keeps nobody from moving, viewing, scrolling and leaving", () => {
    const stage = new Stage();
    stage.waits([request, other]);
    stage.press("j");
    expect(stage.model.queue.selected).toBe(1);
    stage.press("v");
    expect(stage.model.card?.isWhole).toBe(true);
    stage.press("w");
    expect(stage.model.page?.kind).toBe("why");
    stage.press("h");
    expect(stage.model.page?.kind).toBe("history");
    stage.press("?");
    expect(stage.model.page?.kind).toBe("help");
    stage.press("down");
    expect(stage.model.page?.scroll).toBe(1);
    expect(stage.press("q")).toEqual([{ kind: "quit" }]);
    expect(stage.press("ctrl-c")).toEqual([{ kind: "quit" }]);
  });

  it("says of each letter of a word that is dropped that it was, until one is taken", () => {
    const stage = new Stage();
    stage.waits([dangerous()]);
    stage.calmly("y");
    for (const letter of "main") {
      stage.press("escape");
      stage.calmly("y");
      stage.wait(200).press(letter);
      expect(stage.notices.at(-1)).toMatch(/^Not yet/);
    }
    stage.calmly("m");
    stage.type("ain");
    stage.press("return");
    expect(stage.answers).toHaveLength(1);
  });

  it("holds for the first key of a typed word, and for no other of it", () => {
    const stage = new Stage();
    stage.waits([dangerous()]);
    stage.calmly("y");
    stage.wait(499).press("m");
    expect(stage.model.prompt?.line.text).toBe("");
    stage.wait(500).press("m");
    stage.type("ain");
    stage.press("return");
    expect(stage.answers).toHaveLength(1);
  });
});

describe("any keys at any times", () => {
  const others = [..."jklvwhf?m1", "space", "tab", "return", "down", "end", "backspace", "/", "i"];
  const key = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom("y", "s", "p", "a", "d", "r", "n", "D") },
    { weight: 2, arbitrary: fc.constantFrom(...others) },
    // Out of whatever takes keys for text.
    { weight: 2, arbitrary: fc.constant("escape") },
  );
  const pause = fc.oneof(fc.integer({ min: 0, max: 499 }), fc.integer({ min: 500, max: 2_000 }));
  const happening = fc.oneof(
    { weight: 12, arbitrary: fc.record({ kind: fc.constant("key" as const), key }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constantFrom("resized", "focused", "arrives", "leaves", "changes") }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("pasted" as const),
        key: fc.constantFrom("main", "y\n", "/help"),
      }),
    },
  );
  const scopes = ["once", "session", "project", "always"] as const;

  it("never answer within 500 ms of the last key, or of what is new to the eye", () => {
    const script = fc.array(fc.tuple(pause, happening), { minLength: 30, maxLength: 60 });
    let answered = 0;
    fc.assert(
      fc.property(script, (steps) => {
        const stage = new Stage();
        const pool = [
          toRun("git status", { scopes: [...scopes] }),
          dangerous(),
          toRun("npm test"),
          toRun("make", { says: "because" }),
        ];
        let waiting = pool.slice(0, 2);
        stage.waits(waiting);
        let disturbedAt = stage.at;
        for (const [ms, { kind, ...rest }] of steps) {
          stage.wait(ms);
          const quietMs = stage.at - disturbedAt;
          const shown = stage.model.card?.entry;
          const mode = stage.model.box === null ? (stage.model.prompt?.kind ?? "keys") : "box";
          const before = stage.answers.length;
          switch (kind) {
            case "key":
              stage.press("key" in rest ? rest.key : "");
              break;
            case "pasted":
              stage.paste("key" in rest ? rest.key : "");
              break;
            case "resized":
              stage.resize(80 + (ms % 100), 24);
              break;
            case "focused":
              stage.feed({ kind: "focused", at: stage.at });
              break;
            case "arrives":
              waiting = [...waiting, ...pool.filter((one) => !waiting.includes(one)).slice(0, 1)];
              stage.waits(waiting);
              break;
            case "leaves": {
              const [gone, ...others] = waiting;
              if (gone === undefined) break;
              waiting = others;
              stage.feed({ kind: "left", request: gone, ending: null, at: stage.at });
              stage.waits(waiting);
              break;
            }
            case "changes": {
              const open = shown?.kind === "one" ? shown.request : waiting[0];
              const text = viewFor(toRun(`x ${stage.at}`)).card;
              if (open !== undefined) stage.shows(open.id, viewFor(open, 0, { card: text }));
              break;
            }
            default:
              kind satisfies never;
          }
          const isNew = stage.model.card?.entry.key !== shown?.key;
          const isOfQueue = kind === "arrives" || kind === "leaves";
          if (!isOfQueue || isNew) disturbedAt = stage.at;
          if (stage.answers.length === before) continue;
          answered += 1;
          // A text is ended by Enter, whose last letter came just before; all else that answers was one quiet key.
          if (mode === "keys") expect(quietMs).toBeGreaterThanOrEqual(500);
          else expect("key" in rest && rest.key).toBe("return");
          // What is answered is what was on the screen.
          expect(stage.answers.at(-1)?.request).toBe(shown?.kind === "one" ? shown.request : null);
        }
      }),
      { numRuns: 1_000 },
    );
    // The tries would prove nothing if hardly any had ever answered.
    expect(answered).toBeGreaterThan(300);
  });
});
