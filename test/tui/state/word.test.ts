import { describe, expect, it } from "vitest";
import { Stage, viewFor } from "../../support/tui-events.js";
import { dangerous, toRun } from "../../support/tui-requests.js";

const request = dangerous({ scopes: ["once", "session", "project", "always"] });

function asked(...keys: readonly string[]): Stage {
  const stage = new Stage();
  stage.waits([request]);
  for (const key of keys) stage.calmly(key);
  stage.wait(1_000);
  return stage;
}

describe("what is dangerous", () => {
  it.each([
    [["y"], "once"],
    [["s"], "session"],
  ])("takes a word that is typed: %j", (keys, scope) => {
    const stage = asked(...keys);
    expect(stage.answers).toEqual([]);
    stage.type("main");
    expect(stage.answers).toEqual([]);
    stage.press("return");
    expect(stage.answers.map(({ given }) => given)).toEqual([{ decision: "approve", scope, note: null }]);
  });

  it("takes it after a note, too, and keeps the note", () => {
    const stage = asked("n");
    stage.type("go on");
    stage.press("return");
    expect(stage.answers).toEqual([]);
    stage.wait(1_000);
    stage.type("main");
    stage.press("return");
    expect(stage.answers.map(({ given }) => given.note)).toEqual(["go on"]);
  });

  it.each(["Main", "mai", "main main", "yes", "git"])("is not approved by another word: %s", (word) => {
    const stage = asked("y");
    stage.type(word);
    stage.press("return");
    expect(stage.answers).toEqual([]);
    expect(stage.notices.at(-1)).toContain("It is main");
    stage.wait(1_000);
    stage.type("main");
    stage.press("return");
    expect(stage.answers).toHaveLength(1);
  });

  it("is not approved by a word that was pasted, or by half of one", () => {
    const stage = asked("y");
    stage.paste("main");
    stage.press("return");
    stage.wait(1_000);
    stage.press("m");
    stage.paste("ain");
    stage.press("return");
    expect(stage.answers).toEqual([]);
    expect(stage.notices.join()).toContain("Pasted");
    stage.wait(1_000);
    stage.type("main");
    stage.press("return");
    expect(stage.answers).toHaveLength(1);
  });

  it("forgets the word when the card says something else", () => {
    const stage = asked("y");
    stage.type("main");
    stage.shows(
      request.id,
      viewFor(request, 0, { card: viewFor(toRun("git push --force origin dev")).card }),
    );
    for (let times = 0; times < 3; times += 1) stage.calmly("return");
    expect(stage.answers).toEqual([]);
    stage.wait(1_000);
    stage.type("main");
    stage.press("return");
    expect(stage.answers).toHaveLength(1);
  });

  it("says that the word is to be typed anew, and takes the rest of it for no keys", () => {
    const stage = asked("y");
    stage.type("ma");
    stage.waits([request], { detached: [request.id] });
    expect(stage.notices.at(-1)).toContain("type main anew");
    for (const key of "qdyin") stage.wait(50).press(key);
    expect(stage.model.prompt).toMatchObject({ kind: "word", line: { text: "" } });
    expect(stage.effects).not.toContainEqual({ kind: "quit" });
    expect(stage.answers).toEqual([]);
    stage.wait(1_000);
    stage.type("main");
    stage.press("return");
    expect(stage.answers).toHaveLength(1);
  });

  it("is asked for the word of what it has become", () => {
    const stage = asked("y");
    const now = { ...request, subject: toRun("rm -rf build").subject };
    stage.waits([now]);
    expect(stage.notices.at(-1)).toContain("type build anew");
    stage.wait(1_000);
    stage.type("main");
    stage.press("return");
    expect(stage.answers).toEqual([]);
    stage.wait(1_000);
    stage.type("build");
    stage.press("return");
    expect(stage.answers).toMatchObject([{ request: now }]);
  });

  it("can be read on while the word is asked for, and is approved only after its end was seen", () => {
    const stage = asked("y");
    const lines = Array.from({ length: 60 }, (_, index) => `echo ${index}`).join("\n");
    stage.shows(request.id, viewFor(request, 0, { card: viewFor(toRun(lines)).card }));
    stage.wait(1_000);
    stage.type("main");
    stage.press("return");
    expect(stage.answers).toEqual([]);
    expect(stage.notices.at(-1)).toContain("to its end");
    for (let times = 0; times < 9; times += 1) stage.press("pagedown");
    stage.wait(1_000).press("return");
    expect(stage.answers).toHaveLength(1);
  });

  it.each([0, 16])("is not approved by a word whose letters come all at once, %i ms apart", (ms) => {
    const stage = asked("y");
    for (const letter of "main") stage.wait(ms).press(letter);
    stage.wait(2_000).press("return");
    expect(stage.answers).toEqual([]);
    expect(stage.notices.at(-1)).toContain("all at once");
    stage.wait(1_000);
    for (const letter of "main") stage.wait(17).press(letter);
    stage.press("return");
    expect(stage.answers).toHaveLength(1);
  });

  it("is not approved by letters that come at once after others were typed and taken back", () => {
    const stage = asked("y");
    stage.press("x");
    stage.wait(1_000).press("backspace");
    for (const letter of "main") stage.wait(letter === "m" ? 1_000 : 0).press(letter);
    stage.press("return");
    expect(stage.answers).toEqual([]);
    stage.wait(1_000);
    stage.type("main");
    stage.press("return");
    expect(stage.answers).toHaveLength(1);
  });

  it("is denied at once", () => {
    expect(asked("d").answers.map(({ given }) => given.decision)).toEqual(["deny"]);
  });

  it("is not approved by a command that names it without the word", () => {
    const stage = asked("/");
    stage.type(`approvals approve ${request.id}`);
    stage.press("return");
    expect(stage.answers).toEqual([]);
    expect(stage.model.prompt?.kind).toBe("word");
    stage.wait(1_000);
    stage.type("main");
    stage.press("return");
    expect(stage.answers).toHaveLength(1);
  });
});
