/** What is not on the terminal yet was seen by nobody, and what was pressed before it is there is no answer to it. */
import { describe, expect, it } from "vitest";
import { keyOf, Stage } from "../../support/tui-events.js";
import { dangerous, toRun } from "../../support/tui-requests.js";

/** A card that the person has not seen: the program is busy, and has drawn nothing of it. */
function unseen(): Stage {
  const stage = new Stage();
  stage.isDrawing = false;
  stage.waits([toRun("npm test")]);
  return stage;
}

describe("a card", () => {
  it("is answered by no key before it is drawn, nor in the half second after it was", () => {
    const stage = unseen();
    stage.calmly("y");
    stage.wait(10_000);
    stage.draw();
    stage.wait(499).press("y");
    expect(stage.answers).toEqual([]);
    stage.wait(500).press("y");
    expect(stage.answers).toHaveLength(1);
  });

  it("is not drawn with a frame that was made before it changed", () => {
    const stage = unseen();
    stage.feed({ kind: "drawn", until: stage.at - 1, at: stage.at + 10 });
    stage.calmly("y");
    expect(stage.answers).toEqual([]);
    stage.draw();
    stage.calmly("y");
    expect(stage.answers).toHaveLength(1);
  });

  it("is drawn once: more frames of it keep no key from deciding", () => {
    const stage = unseen();
    stage.draw();
    stage.wait(400);
    stage.draw();
    stage.wait(100).press("y");
    expect(stage.answers).toHaveLength(1);
  });
});

describe("a key", () => {
  it("that may have been pressed before the card was drawn decides nothing, however late it is read", () => {
    const stage = unseen();
    stage.draw();
    const drawnAt = stage.at;
    stage.wait(5_000);
    stage.feed({ kind: "key", key: keyOf("y"), at: stage.at, since: drawnAt + 499 });
    expect(stage.answers).toEqual([]);
    stage.wait(5_000);
    stage.feed({ kind: "key", key: keyOf("y"), at: stage.at, since: stage.at - 5_000 + 500 });
    expect(stage.answers).toHaveLength(1);
  });

  it("that came with others decides nothing, and ends no text", () => {
    const stage = unseen();
    stage.draw();
    const raw = (spelled: string): void =>
      void stage.feed({ kind: "key", key: keyOf(spelled), at: stage.at, since: Number.NEGATIVE_INFINITY });
    stage.wait(5_000);
    for (const key of ["y", "e", "s", "d", "d", "return"]) raw(key);
    stage.calmly("D");
    for (const key of ["n", "o", "return"]) raw(key);
    expect(stage.answers).toEqual([]);
    stage.calmly("y");
    expect(stage.answers).toHaveLength(1);
  });

  it("that came with others begins no word", () => {
    const stage = new Stage();
    stage.waits([dangerous()]);
    stage.calmly("y");
    const word = stage.model.prompt?.kind === "word" ? stage.model.prompt.expected : "";
    expect(word).not.toBe("");
    stage.wait(5_000);
    for (const key of [...word, "return"]) {
      stage.feed({ kind: "key", key: keyOf(key), at: stage.at, since: Number.NEGATIVE_INFINITY });
    }
    expect(stage.answers).toEqual([]);
    stage.wait(1_000).type(word);
    stage.calmly("return");
    expect(stage.answers).toHaveLength(1);
  });
});

describe("what is sent and is no key", () => {
  it("begins the quiet anew", () => {
    const stage = new Stage();
    stage.waits([toRun("npm test")]);
    stage.wait(10_000);
    stage.feed({ kind: "noise", at: stage.at });
    stage.wait(499).press("y");
    expect(stage.answers).toEqual([]);
    stage.calmly("y");
    expect(stage.answers).toHaveLength(1);
  });
});
