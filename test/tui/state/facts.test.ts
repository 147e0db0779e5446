import { describe, expect, it } from "vitest";
import type { Given } from "../../../src/face/answer.js";
import { screenOf } from "../../../src/tui/screen/screen-of.js";
import { Stage, viewFor } from "../../support/tui-events.js";
import { factToKeep, toAnswer, toRun } from "../../support/tui-requests.js";

const fact = factToKeep();
const placeless = factToKeep({ directory: null });
const keep = (scope: "project" | "always"): Given => ({ decision: "keep", scope, note: null });
const drop = (scope: null | "always"): Given => ({ decision: "drop", scope, note: null });

function opened(request = fact, isLinear = false): Stage {
  const stage = new Stage({ columns: 80, rows: 24 }, 0, isLinear);
  stage.waits([request]);
  stage.wait(1_000);
  return stage;
}

function given(stage: Stage): readonly Given[] {
  return stage.answers.map((answer) => answer.given);
}

/** What stands below the card. */
function footOf(stage: Stage): string {
  const { body } = screenOf(stage.model);
  return body.kind === "work" ? body.card.foot.join(" ") : "";
}

/** `text` in the box, and Enter. */
function ran(stage: Stage, text: string): Stage {
  if (!stage.model.isLinear) stage.press("i");
  stage.type(text);
  stage.press("return");
  return stage;
}

describe("a key on a fact", () => {
  it.each([
    ["y", fact, keep("project")],
    ["y", placeless, keep("always")],
    ["d", fact, drop(null)],
  ])("%s decides about it, once", (key, request, expected) => {
    const stage = opened(request);
    stage.calmly(key);
    expect(stage.answers).toEqual([{ kind: "answer", request, given: expected }]);
    for (const again of ["y", "d", "a", "a"]) stage.calmly(again);
    expect(stage.answers).toHaveLength(1);
    expect(stage.notices.at(-1)).toContain("under way");
  });

  it("a says what everywhere means, and keeps it there when it comes again", () => {
    const stage = opened();
    stage.calmly("a");
    expect(stage.model.card?.confirming).toBe("a");
    stage.wait(499).press("a");
    expect(stage.answers).toEqual([]);
    stage.calmly("j");
    stage.calmly("a");
    expect(stage.answers).toEqual([]);
    stage.calmly("a");
    expect(given(stage)).toEqual([keep("always")]);
  });

  it.each(["s", "p", "n", "o", "r", "return", "space", "1", "9"])("%s decides nothing", (key) => {
    const stage = opened();
    stage.calmly(key);
    stage.calmly(key);
    expect(stage.answers).toEqual([]);
    expect(stage.model.prompt).toBeNull();
    stage.calmly("y");
    expect(given(stage)).toEqual([keep("project")]);
  });

  it.each(["y", "a", "d"])("%s does nothing in the grace of a card that has just appeared", (key) => {
    const stage = new Stage();
    stage.wait(1_000);
    stage.waits([fact]);
    stage.wait(499).press(key);
    stage.wait(499).press(key);
    expect(stage.answers).toEqual([]);
    expect(stage.model.card?.confirming).toBeNull();
    stage.calmly("y");
    expect(given(stage)).toEqual([keep("project")]);
  });

  it.each(["y", "a"])("%s keeps nothing whose end was not on the screen", (key) => {
    const stage = opened(factToKeep({ value: "line\n".repeat(60) }));
    for (let times = 0; times < 3; times += 1) stage.calmly(key);
    expect(stage.answers).toEqual([]);
    expect(stage.notices.at(-1)).toContain("before you keep it");
    stage.calmly("end");
    stage.calmly("y");
    expect(given(stage)).toEqual([keep("project")]);
  });

  it("keeps nothing before what is kept already was on the screen to its end", () => {
    const stage = opened(factToKeep({ similar: [{ id: "abcdefgh", value: "line\n".repeat(60) }] }));
    stage.calmly("y");
    expect(stage.answers).toEqual([]);
    expect(stage.notices.at(-1)).toContain("before you keep it");
    stage.calmly("end");
    stage.calmly("y");
    expect(given(stage)).toEqual([keep("project")]);
  });

  it("keeps nothing that was altered, and drops it", () => {
    const stage = opened();
    const objection = "the request was changed after it was filed";
    stage.shows(fact.id, viewFor(fact, 0, { objection }));
    for (const key of ["y", "a", "a"]) stage.calmly(key);
    expect(stage.answers).toEqual([]);
    expect(stage.notices.at(-1)).toContain(`It cannot be kept: ${objection}`);
    stage.calmly("d");
    expect(given(stage)).toEqual([drop(null)]);
  });

  it("takes back that a was pressed where what would be kept is another", () => {
    const stage = opened();
    stage.calmly("a");
    stage.waits([{ ...fact, fact: { ...fact.fact, value: "rm -rf /" } }]);
    stage.calmly("a");
    expect(stage.answers).toEqual([]);
    stage.calmly("a");
    expect(stage.answers).toHaveLength(1);
  });
});

describe("a command about a fact", () => {
  it.each([
    [`/facts keep ${fact.id}`, keep("project")],
    [`/facts keep ${fact.id} project`, keep("project")],
    [`/facts drop ${fact.id}`, drop(null)],
    [`/facts drop ${fact.id} for-good`, drop("always")],
  ])("%s decides about what is open", (command, expected) => {
    expect(given(ran(opened(), command))).toEqual([expected]);
  });

  it("keeps it everywhere only by a, after saying what that means", () => {
    const stage = opened();
    for (let times = 0; times < 2; times += 1) ran(stage.wait(1_000), `/facts keep ${fact.id} global`);
    expect(stage.answers).toEqual([]);
    expect(stage.model.card?.confirming).toBe("a");
    stage.calmly("a");
    expect(given(stage)).toEqual([keep("always")]);
  });

  it("keeps nothing that is not open, and opens it; it drops it as it is", () => {
    const stage = opened();
    const other = factToKeep({ value: "make test" });
    stage.waits([fact, other]);
    ran(stage.wait(1_000), `/facts keep ${other.id}`);
    expect(stage.answers).toEqual([]);
    expect(stage.model.card?.entry.key).toBe(other.id);
    ran(stage.wait(1_000), `/facts drop ${fact.id} for-good`);
    expect(stage.answers).toMatchObject([{ request: { id: fact.id }, given: drop("always") }]);
  });

  it("keeps for no project what names no directory", () => {
    const stage = ran(opened(placeless), `/facts keep ${placeless.id} project`);
    expect(stage.answers).toEqual([]);
    expect(stage.notices.at(-1)).toContain("no directory");
    expect(given(ran(stage.wait(1_000), `/facts keep ${placeless.id}`))).toEqual([keep("always")]);
  });

  it("that is pasted answers nothing", () => {
    const stage = opened();
    stage.press("i");
    stage.paste(`/facts drop ${fact.id}`);
    stage.wait(1_000).press("return");
    expect(stage.answers).toEqual([]);
    expect(stage.notices.at(-1)).toContain("pasted");
    stage.press("escape");
    stage.calmly("d");
    expect(given(stage)).toEqual([drop(null)]);
  });

  it.each([
    ["/approvals approve", "/approvals deny", fact, "is a fact: /facts keep"],
    ["/questions answer", "/questions decline", fact, "is a fact: /facts keep"],
    ["/facts keep", "/facts drop", toRun("ls"), "is an approval: /approvals approve"],
    ["/facts keep", "/approvals deny", toAnswer(), "is a question: /questions answer"],
  ])("of another kind (%s, %s) answers nothing and names the right one", (yes, no, request, text) => {
    for (const command of [yes, no]) {
      const stage = new Stage();
      stage.waits([request]);
      ran(stage.wait(1_000), `${command} ${request.id}`);
      expect(stage.answers).toEqual([]);
      expect(stage.notices.at(-1)).toContain(text);
      stage.press("escape");
      stage.calmly("d");
      expect(stage.answers).toHaveLength(1);
    }
  });
});

describe("a word about a fact", () => {
  it.each([
    ["keep", keep("project")],
    ["drop", drop(null)],
    ["drop for-good", drop("always")],
  ])("%s decides about what is open", (word, expected) => {
    expect(given(ran(opened(fact, true), word))).toEqual([expected]);
  });

  it.each(["approve", "session", "deny", "decline", "send", "1", "text yes"])(
    "of another kind answers nothing: %s",
    (word) => {
      const stage = ran(opened(fact, true), word);
      expect(stage.answers).toEqual([]);
      expect(stage.notices.at(-1)).toContain("say keep");
      expect(given(ran(stage.wait(1_000), "keep"))).toEqual([keep("project")]);
    },
  );

  it.each(["keep global", `/facts keep ${fact.id} global`])(
    "keeps it everywhere only when it is said twice, one right after the other: %s",
    (word) => {
      const stage = ran(opened(fact, true), word);
      expect(footOf(stage)).toContain("keep global, said again, keeps it everywhere");
      ran(stage.wait(1_000), "next");
      ran(stage.wait(1_000), word);
      stage.wait(1_000).press("escape");
      ran(stage, word);
      expect(stage.answers).toEqual([]);
      ran(stage.wait(1_000), word);
      expect(given(stage)).toEqual([keep("always")]);
    },
  );

  it("said while another fact came in its place keeps nothing", () => {
    const stage = opened(fact, true);
    const other = factToKeep({ value: "rm -rf /" });
    stage.feed({ kind: "left", request: fact, ending: null, at: stage.at });
    stage.waits([other]);
    ran(stage.wait(5), "keep");
    expect(stage.answers).toEqual([]);
    stage.wait(1_000).press("return");
    expect(stage.answers).toMatchObject([{ request: { id: other.id } }]);
  });
});
