import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  chose,
  decline,
  free,
  given,
  opened,
  sends,
  several,
  single,
  wrote,
} from "../../support/tui-answers.js";
import { Stage, viewFor } from "../../support/tui-events.js";
import { toAnswer, toRun } from "../../support/tui-requests.js";

const either = toAnswer({ allowText: true });

/** `text` in the box of `o`, and Enter. */
function typed(stage: Stage, text: string): Stage {
  stage.calmly("o");
  stage.type(text);
  stage.press("return");
  return stage;
}

describe("a digit", () => {
  it("chooses one option, and sends nothing until y", () => {
    const stage = opened();
    stage.press("1");
    stage.press("2");
    expect(stage.answers).toEqual([]);
    expect(sends(stage, single)).toBe("2 SQLite");
    stage.calmly("y");
    expect(given(stage)).toEqual([chose("lite")]);
  });

  it("chooses, and chooses no longer, where several may be", () => {
    const stage = opened(several);
    stage.press("3", "1", "2", "1");
    expect(sends(stage, several)).toBe("2 B, 3 C");
    stage.calmly("y");
    expect(given(stage)).toEqual([chose("b", "c")]);
  });

  it.each([
    ["3", single, "no option 3"],
    ["9", several, "no option 9"],
    ["1", free, "no options"],
  ])("%s that was not offered chooses nothing", (key, request, why) => {
    const stage = opened(request);
    stage.calmly(key);
    expect(stage.notices.at(-1)).toContain(why);
    stage.calmly("y");
    expect(stage.answers).toEqual([]);
    stage.calmly("d");
    expect(given(stage)).toEqual([decline()]);
  });

  it("chooses nothing of a card that has just appeared, nor of one that is covered", () => {
    const stage = new Stage();
    stage.wait(1_000);
    stage.waits([single]);
    stage.wait(499).press("1");
    expect(sends(stage, single)).toBeNull();
    stage.calmly("?");
    stage.calmly("1");
    stage.calmly("escape");
    stage.resize(30, 8);
    stage.calmly("1");
    stage.resize(80, 24);
    expect(sends(stage, single)).toBeNull();
    stage.calmly("1");
    stage.calmly("y");
    expect(given(stage)).toEqual([chose("pg")]);
  });
});

describe("y on a question", () => {
  it.each([single, several, free, either])(
    "sends nothing where nothing was chosen or typed, and says so",
    (request) => {
      const stage = opened(request);
      for (let times = 0; times < 3; times += 1) stage.calmly("y");
      expect(stage.answers).toEqual([]);
      expect(stage.notices.at(-1)).toContain("Nothing is sent yet");
      stage.calmly("d");
      expect(given(stage)).toEqual([decline()]);
    },
  );

  it("needs half a second of quiet after the last digit", () => {
    const stage = opened();
    stage.press("1");
    stage.wait(499).press("y");
    expect(stage.answers).toEqual([]);
    stage.wait(500).press("y");
    expect(given(stage)).toEqual([chose("pg")]);
  });

  it("sends nothing whose last option was not on the screen", () => {
    const long = toAnswer({ text: "Which?\n".repeat(60) });
    const stage = opened(long);
    stage.press("1");
    for (let times = 0; times < 2; times += 1) stage.calmly("y");
    expect(stage.answers).toEqual([]);
    expect(stage.notices.at(-1)).toContain("before you answer it");
    stage.calmly("end");
    stage.calmly("y");
    expect(given(stage)).toEqual([chose("pg")]);
  });

  it("sends no answer to a question that was altered, which can be declined", () => {
    const stage = opened();
    stage.press("1");
    const objection = "the request was changed after it was filed";
    stage.shows(single.id, viewFor(single, 0, { objection }));
    stage.calmly("y");
    expect(stage.answers).toEqual([]);
    expect(stage.notices.at(-1)).toContain(`It cannot be answered: ${objection}`);
    stage.calmly("d");
    expect(given(stage)).toEqual([decline()]);
  });

  it("sends nothing that was chosen for the question as it stood before", () => {
    const stage = opened();
    stage.press("1");
    const other = { ...single, question: { ...single.question, text: "Which one to delete?" } };
    stage.waits([other]);
    stage.calmly("y");
    expect(stage.answers).toEqual([]);
    expect(stage.notices.at(-1)).toContain("Nothing is sent yet");
    stage.press("1");
    stage.calmly("y");
    expect(given(stage)).toEqual([chose("pg")]);
  });

  it("keeps what was chosen for each question while others are looked at", () => {
    const stage = opened();
    stage.waits([single, several]);
    stage.calmly("1");
    stage.calmly("j");
    stage.calmly("2");
    stage.calmly("k");
    expect(sends(stage, single)).toBe("1 PostgreSQL");
    expect(sends(stage, several)).toBe("2 B");
    stage.calmly("y");
    expect(stage.answers).toMatchObject([{ request: { id: single.id }, given: chose("pg") }]);
  });

  it.each(["s", "p", "a", "n", "return", "space"])("is not %s", (key) => {
    const stage = opened();
    stage.press("1");
    stage.calmly(key);
    stage.calmly(key);
    expect(stage.answers).toEqual([]);
    expect(stage.model.prompt).toBeNull();
    stage.calmly("y");
    expect(given(stage)).toEqual([chose("pg")]);
  });
});

describe("a text", () => {
  it("is ended by Enter and sent by y", () => {
    const stage = typed(opened(free), "eu-west-1");
    expect(stage.answers).toEqual([]);
    expect(sends(stage, free)).toBe('"eu-west-1"');
    stage.wait(499).press("y");
    expect(stage.answers).toEqual([]);
    stage.calmly("y");
    expect(given(stage)).toEqual([wrote("eu-west-1")]);
  });

  it("takes the place of what was chosen, and a digit that of the text, which o brings back", () => {
    const stage = opened(either);
    stage.press("2");
    typed(stage, "neither");
    expect(sends(stage, either)).toBe('"neither"');
    stage.calmly("1");
    expect(sends(stage, either)).toBe("1 PostgreSQL");
    stage.calmly("o");
    expect(stage.model.prompt?.line.text).toBe("neither");
    stage.press("return");
    stage.calmly("y");
    expect(given(stage)).toEqual([wrote("neither")]);
  });

  it("is not taken where the question takes none", () => {
    const stage = opened();
    stage.calmly("o");
    expect(stage.model.prompt).toBeNull();
    expect(stage.notices.at(-1)).toContain("takes no text");
    stage.calmly("1");
    stage.calmly("y");
    expect(given(stage)).toEqual([chose("pg")]);
  });

  it.each(["", "   "])("of blanks is none: %j", (text) => {
    const stage = typed(opened(free), text);
    expect(stage.model.prompt?.kind).toBe("answer");
    expect(stage.notices.at(-1)).toContain("Type an answer");
    stage.type("yes");
    stage.press("return");
    stage.calmly("y");
    expect(given(stage)).toEqual([wrote("yes")]);
  });

  it("that is pasted is content, and takes y after the quiet as any", () => {
    const stage = opened(free);
    stage.calmly("o");
    stage.paste("eu-west-1\nyy\r");
    expect(stage.answers).toEqual([]);
    stage.press("return");
    stage.wait(499).press("y");
    expect(stage.answers).toEqual([]);
    stage.calmly("y");
    expect(given(stage)).toEqual([wrote("eu-west-1 yy")]);
  });

  it("of a megabyte is not taken, not even in part", () => {
    const stage = opened(free);
    stage.calmly("o");
    stage.type("eu ");
    stage.paste("x".repeat(1_000_000));
    expect(stage.model.prompt?.line.text).toBe("eu ");
    expect(stage.notices.at(-1)).toContain("4,096 bytes");
    stage.press("return");
    stage.calmly("y");
    expect(given(stage)).toEqual([wrote("eu")]);
  });

  it("is bounded in bytes and not in characters", () => {
    const stage = opened(free);
    stage.calmly("o");
    stage.paste("漢".repeat(1_366));
    expect(stage.model.prompt?.line.text).toBe("");
    stage.paste("漢".repeat(1_365));
    stage.press("é");
    expect(stage.notices.at(-1)).toContain("4,096 bytes");
    stage.press("!", "return");
    stage.calmly("y");
    expect(given(stage)).toEqual([wrote(`${"漢".repeat(1_365)}!`)]);
  });

  it("about a question that changed meanwhile is ended by a second Enter alone, and not sent for it unseen", () => {
    const stage = opened(free);
    stage.calmly("o");
    stage.type("yes");
    const other = { ...free, question: { ...free.question, text: "Delete it?" } };
    stage.waits([other]);
    stage.wait(2_000).press("return");
    expect(stage.model.prompt?.line.text).toBe("yes");
    stage.calmly("return");
    expect(stage.model.prompt).toBeNull();
    stage.calmly("y");
    expect(stage.answers).toMatchObject([{ request: other, given: wrote("yes") }]);
  });
});

describe("a no to a question", () => {
  it("is d alone, or r with a reason", () => {
    const silent = opened();
    silent.calmly("d");
    expect(given(silent)).toEqual([decline()]);
    const told = opened();
    told.calmly("r");
    told.press("return");
    expect(told.answers).toEqual([]);
    told.type("ask Kim");
    told.press("return");
    expect(given(told)).toEqual([decline("ask Kim")]);
  });
});

describe("a command about a question", () => {
  function ran(stage: Stage, command: string): Stage {
    stage.press("i");
    stage.type(command);
    stage.press("return");
    return stage;
  }

  it("opens the box where it takes a text alone, and tells how where it has options", () => {
    const stage = ran(opened(free), `/questions answer ${free.id}`);
    expect(stage.model.prompt?.kind).toBe("answer");
    const other = ran(opened(), `/questions answer ${single.id}`);
    expect(other.model.prompt).toBeNull();
    expect(other.notices.at(-1)).toContain("a digit chooses; then y sends it");
    expect(other.answers).toEqual([]);
  });

  it("opens what is not open, with the box where it takes a text alone, and else says how", () => {
    const stage = opened(free);
    stage.waits([free, single]);
    ran(stage, `/questions answer ${single.id}`);
    expect(stage.model.card?.entry.key).toBe(single.id);
    expect(stage.model.prompt).toBeNull();
    expect(stage.notices.at(-1)).toContain("a digit chooses; then y sends it");
    ran(stage.wait(1_000), `/questions answer ${free.id}`);
    expect(stage.model.card?.entry.key).toBe(free.id);
    expect(stage.model.prompt?.kind).toBe("answer");
    stage.wait(1_000).type("eu");
    stage.calmly("return");
    stage.calmly("y");
    expect(stage.answers).toMatchObject([{ request: { id: free.id }, given: { text: "eu" } }]);
  });

  it("opens what a page covers, and no box in a window without room", () => {
    const stage = opened(free);
    stage.press("?");
    ran(stage, `/questions answer ${free.id}`);
    expect(stage.model).toMatchObject({ page: null, prompt: { kind: "answer" } });
    stage.press("escape");
    stage.resize(39, 9);
    ran(stage, `/questions answer ${free.id}`);
    expect(stage.model.prompt).toBeNull();
    stage.resize(80, 24);
    expect(ran(stage, `/questions answer ${free.id}`).model.prompt?.kind).toBe("answer");
  });

  it("says the words that answer where words do", () => {
    const stage = new Stage({ columns: 80, rows: 24 }, 0, true);
    stage.waits([free]);
    stage.wait(1_000).type(`/questions answer ${free.id}`);
    stage.press("return");
    expect(stage.model.prompt).toBeNull();
    expect(stage.notices.at(-1)).toContain("say text and your answer, then send");
    stage.wait(1_000).type("text eu");
    stage.press("return");
    stage.wait(1_000).type("send");
    stage.press("return");
    expect(stage.answers).toHaveLength(1);
  });

  it("declines whatever waits, with the reason", () => {
    const stage = opened(free);
    stage.waits([free, single]);
    expect(ran(stage, `/questions decline ${single.id} not mine`).answers).toMatchObject([
      { request: { id: single.id }, given: decline("not mine") },
    ]);
  });
});

describe("Enter, space and digits", () => {
  it("send nothing, whatever came before them; only y does, and what stood there before", () => {
    const key = fc.constantFrom(..."123oydrjk?v".split(""), "return", "space", "escape", "tab", "x", "!");
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(0, 100, 600), key), { maxLength: 40 }), (keys) => {
        const stage = new Stage();
        stage.waits([either, several, toRun("npm test", { level: "dangerous" })]);
        for (const [ms, one] of keys) {
          stage.wait(ms);
          const before = stage.answers.length;
          const card = stage.model.card?.entry.key;
          const request = [either, several].find(({ id }) => id === card);
          const sendable = request === undefined ? null : sends(stage, request);
          stage.press(one);
          const yes = stage.answers.slice(before).filter(({ given: { decision } }) => decision === "answer");
          if (yes.length === 0) continue;
          expect(one).toBe("y");
          expect(sendable).not.toBeNull();
        }
      }),
      { numRuns: 500 },
    );
  });
});
