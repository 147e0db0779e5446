import { describe, expect, it } from "vitest";
import { approvalRequest } from "../../support/builders.js";
import { Stage, wallZero } from "../../support/tui-events.js";
import { manyOf, toRun } from "../../support/tui-requests.js";

const first = toRun("git push", { level: "high", thread: "git" });
const second = toRun("npm test", { level: "low" });
const third = toRun("terraform apply", { client: { name: "codex", version: "1" } });

function withAll(): Stage {
  const stage = new Stage();
  stage.waits([first, second, third]);
  return stage;
}

function keys(stage: Stage): readonly string[] {
  return stage.model.queue.entries.map(({ key }) => key);
}

describe("the queue", () => {
  it("moves by tab, j and k; tab goes round and j and k stay", () => {
    const stage = withAll();
    const open = (): string | undefined => stage.model.card?.entry.key;
    stage.press("k");
    expect(open()).toBe(first.id);
    stage.press("j", "j", "j");
    expect(open()).toBe(third.id);
    stage.press("tab");
    expect(open()).toBe(first.id);
    stage.press("shift-tab");
    expect(open()).toBe(third.id);
  });

  it("leaves what is open open when others arrive or leave", () => {
    const stage = withAll();
    stage.press("j");
    stage.waits([toRun("older"), first, second, third, toRun("newer")]);
    expect(stage.model.card?.entry.key).toBe(second.id);
    stage.waits([second]);
    expect(stage.model.card?.entry.key).toBe(second.id);
    expect(stage.model.queue.selected).toBe(0);
  });

  it("rings for what is new, and for nothing else", () => {
    const stage = new Stage();
    expect(stage.waits([first])).toContainEqual({ kind: "ring" });
    expect(stage.waits([first])).not.toContainEqual({ kind: "ring" });
    expect(stage.waits([])).not.toContainEqual({ kind: "ring" });
  });

  it.each([
    ["HIGH", first],
    ["npm", second],
    ["codex", third],
    [third.id, third],
  ])("is filtered by what its rows say: %s", (text, request) => {
    const stage = withAll();
    stage.press("f");
    stage.type(text);
    expect(keys(stage)).toHaveLength(3);
    stage.press("return");
    expect(keys(stage)).toEqual([request.id]);
    expect(stage.model.card?.entry.key).toBe(request.id);
    stage.press("escape");
    expect(keys(stage)).toHaveLength(3);
  });

  it("is not filtered by a text that was given up", () => {
    const stage = withAll();
    stage.press("f");
    stage.type("npm");
    stage.press("escape");
    expect(keys(stage)).toHaveLength(3);
  });
});

describe("a thread that asks too much", () => {
  it("has a row of its own from the sixth ask within a minute on", () => {
    const stage = new Stage();
    stage.waits(manyOf("git", 5, 1_000));
    expect(keys(stage)).toHaveLength(5);
    const slow = new Stage();
    slow.waits(manyOf("git", 20, 12_001));
    expect(keys(slow)).toHaveLength(20);
    const fast = new Stage();
    fast.waits(manyOf("git", 20, 11_999));
    expect(fast.model.queue.entries.map(({ kind }) => kind)).toEqual(["many"]);
  });

  it("hides no other thread, nor another client of the same thread", () => {
    const stage = new Stage();
    const others = [
      toRun("npm test", { thread: "web" }),
      toRun("npm test", { thread: "git", client: { name: "codex", version: "1" } }),
    ];
    stage.waits([...manyOf("git", 30, 100), ...others]);
    expect(keys(stage).slice(1)).toEqual(others.map(({ id }) => id));
  });

  it("is denied as a whole by D, pressed twice, and by nothing else", () => {
    const stage = new Stage();
    const many = manyOf("git", 17, 100);
    const other = toRun("npm test");
    stage.waits([...many, other]);
    for (const key of ["y", "s", "n", "d", "r", "return", "space"]) stage.calmly(key);
    expect(stage.answers).toEqual([]);
    stage.calmly("D");
    expect(stage.answers).toEqual([]);
    stage.wait(499).press("D");
    expect(stage.answers).toEqual([]);
    stage.calmly("D");
    expect(stage.answers.map(({ request }) => request)).toEqual(many);
    expect(new Set(stage.answers.map(({ given }) => given.decision))).toEqual(new Set(["deny"]));
    stage.calmly("D");
    stage.calmly("D");
    expect(stage.answers).toHaveLength(17);
  });

  it("is not denied by a second D when another one joined after the first", () => {
    const stage = new Stage();
    const many = manyOf(null, 10, 100);
    stage.waits(many.slice(0, 9));
    stage.calmly("D");
    stage.waits(many);
    stage.calmly("D");
    expect(stage.answers).toEqual([]);
    stage.calmly("D");
    expect(stage.answers).toHaveLength(10);
  });

  it("is listed by v, and answered one by one there", () => {
    const stage = new Stage();
    const many = manyOf("git", 7, 100);
    stage.waits(many);
    stage.press("v");
    expect(keys(stage).slice(1)).toEqual(many.map(({ id }) => id));
    stage.press("j");
    stage.calmly("y");
    expect(stage.answers.map(({ request: { id } }) => id)).toEqual([many[0]?.id]);
    stage.press("k", "v");
    expect(keys(stage)).toHaveLength(1);
  });

  it("takes no card away that is open", () => {
    const stage = new Stage();
    const many = manyOf("git", 9, 100);
    const [one] = many;
    stage.waits(many.slice(0, 1));
    stage.waits(many);
    expect(stage.model.card?.entry.key).toBe(one?.id);
    stage.calmly("d");
    expect(stage.answers.map(({ request: { id } }) => id)).toEqual([one?.id]);
  });

  it("asks too much also where each is answered at once", () => {
    const many = manyOf("git", 8, 5_000);
    const stage = new Stage();
    for (const one of many.slice(0, 5)) {
      stage.at = one.createdAt - wallZero;
      stage.waits([one]);
      expect(keys(stage)).toEqual([one.id]);
      stage.feed({ kind: "left", request: one, ending: null, at: stage.at });
    }
    // What waits alone needs no row for many.
    stage.at = 25_000;
    stage.waits(many.slice(5, 6));
    expect(stage.model.queue.entries.map(({ kind }) => kind)).toEqual(["one"]);
    stage.waits(many.slice(5, 7));
    expect(stage.model.queue.entries.map(({ kind }) => kind)).toEqual(["many", "one"]);
    stage.press("k");
    stage.waits(many.slice(5, 8));
    expect(stage.model.queue.entries).toMatchObject([{ kind: "many", requests: many.slice(5, 8) }]);
  });

  it("is asked about as any other when what it asked is a minute old", () => {
    const many = manyOf("git", 5, 1_000);
    const later = manyOf("git", 2, 1_000, wallZero + 64_000);
    const stage = new Stage();
    stage.waits(many);
    stage.waits([]);
    stage.wait(64_000);
    stage.waits(later);
    expect(stage.model.queue.entries.map(({ kind }) => kind)).toEqual(["one", "one"]);
    expect(stage.model.past.size).toBe(0);
  });

  it("is not counted twice when it could not be seen for a moment", () => {
    const many = manyOf("git", 4, 100);
    const stage = new Stage();
    stage.waits(many);
    stage.waits([]);
    stage.waits(many);
    expect(keys(stage)).toEqual(many.map(({ id }) => id));
  });

  it("is told by the times at which it asked, not by the order in which they are listed", () => {
    const stage = new Stage();
    stage.waits([...manyOf("git", 6, 100, wallZero)].reverse());
    expect(stage.model.queue.entries.map(({ kind }) => kind)).toEqual(["many"]);
  });
});

describe("10,000 that wait", () => {
  it("are not looked at when the selection moves", () => {
    const stage = new Stage();
    stage.waits(Array.from({ length: 10_000 }, (_, index) => approvalRequest({ thread: `${index}` })));
    let touched = 0;
    const entries = new Proxy(stage.model.queue.entries, {
      get(target, name, receiver) {
        if (typeof name === "string" && /^\d+$/.test(name)) touched += 1;
        return Reflect.get(target, name, receiver);
      },
    });
    stage.model = { ...stage.model, queue: { ...stage.model.queue, entries } };
    for (const key of ["j", "j", "k", "tab", "shift-tab", "l", "down", "v", "w", "escape"]) {
      touched = 0;
      stage.press(key);
      expect(touched).toBeLessThan(100);
    }
    expect(stage.model.queue.selected).toBeGreaterThan(0);
  });
});
