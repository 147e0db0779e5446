import { describe, expect, it } from "vitest";
import { wispProgram as wisp } from "../support/built.js";
import {
  laterSteps,
  leftBehind,
  makePlaces,
  type Places,
  promises,
  promisesWithoutYes,
  steps,
} from "../support/demo.js";
import { type Pty, ptyMissing, startInPty } from "../support/pty.js";

describe.skipIf(ptyMissing !== null)("wisp demo on a terminal", () => {
  const question = "Or here: y approves, d denies, f opens the full-screen face, then Enter: ";
  /** The last that the full-screen face does to a terminal. */
  const leavesScreen = "\u001b[?1049l\u001b[0m\u001b[?25h";
  /** The same, about the request whose call has ended. */
  const laterQuestion = `or deny instead of approve, within two minutes.\n${question}`;

  function start(places: Places): Pty {
    return startInPty([process.execPath, wisp, "demo"], { environment: places.environment });
  }

  /** Answers both questions, and waits for the end. */
  async function answer(demo: Pty, first: string, later: string): Promise<void> {
    await demo.seen(question);
    demo.type(`${first}\n`);
    await demo.seen(laterQuestion);
    demo.type(`${later}\n`);
    expect(await demo.ended).toBe(0);
  }

  it("y runs the command, once, also where its call has ended: the same call collects it, and then asks anew", async () => {
    const places = makePlaces();
    const demo = start(places);
    await answer(demo, "y", "y");
    expect(steps(demo.output(), "answered")[0]).toBe("approve (once), via cli");
    expect(steps(demo.output(), "proof")[0]).toBe("first.txt holds 1 line");
    const names = laterSteps(demo.output()).map(([name]) => name);
    const again = ["repeated", "asked", "filed", "pending", "ended", "proof"];
    expect(names.slice(6)).toEqual(["answered", "repeated", "ran", "proof", ...again]);
    expect(steps(demo.output(), "proof").slice(-3)).toEqual([
      "fourth.txt does not exist",
      "fourth.txt holds 1 line",
      "fourth.txt holds 1 line",
    ]);
    expect(demo.output().match(/^ {2}kept /gm)).toHaveLength(promises);
    expect(leftBehind(places)).toEqual([]);
  });

  it("Enter alone does nothing, and d keeps the command from running, also when the same call is made", async () => {
    const places = makePlaces();
    const demo = start(places);
    await demo.seen(question);
    demo.type("\n");
    await demo.seen(`That was neither y nor d nor f; it still waits.\n${question}`);
    await answer(demo, "d", "d");
    expect(steps(demo.output(), "answered")[0]).toBe("deny, via cli");
    const refused = steps(demo.output(), "refused");
    expect(refused[0]).toMatch(/^the agent reads: Denied by the person\./);
    expect(refused.at(-1)).toMatch(/^the agent reads: Denied by the person\./);
    expect(steps(demo.output(), "proof")[0]).toBe("first.txt does not exist");
    expect(steps(demo.output(), "proof").at(-1)).toBe("fourth.txt does not exist");
    expect(demo.output().match(/^ {2}kept /gm)).toHaveLength(promisesWithoutYes);
  });

  it("f opens the full-screen face on the request, and q comes back to the question", async () => {
    const places = makePlaces();
    const demo = start(places);
    await demo.seen(question);
    demo.type("f\n");
    await demo.seen("Run a command?");
    demo.type("q");
    await demo.seen(`${leavesScreen}${question}`);
    await answer(demo, "d", "d");
    expect(demo.output()).toContain("In it: y approves, d denies, q comes back here.\n");
    expect(leftBehind(places)).toEqual([]);
  });

  it("the lines that it prints answer from another terminal", async () => {
    const places = makePlaces();
    const demo = start(places);
    for (const asked of [question, laterQuestion]) {
      await demo.seen(asked);
      await answerElsewhere(demo, places);
    }
    expect(await demo.ended).toBe(0);
    const answered = steps(demo.output(), "answered");
    expect([answered[0], answered.at(-1)]).toEqual(Array(2).fill("approve (once), via cli"));
    expect(steps(demo.output(), "proof")[0]).toBe("first.txt holds 1 line");
    expect(steps(demo.output(), "proof").at(-1)).toBe("fourth.txt holds 1 line");
    expect(leftBehind(places)).toEqual([]);
  });

  /** Types the line that was printed last. */
  async function answerElsewhere(demo: Pty, { environment }: Places): Promise<void> {
    const { PATH, HOME } = environment;
    const lines = demo.output().match(/^WISP_HOME=.* approvals approve [a-z0-9]{8}$/gm);
    const words = ["sh", "-c", lines?.at(-1) ?? ""];
    const other = startInPty(words, { environment: { PATH, HOME }, directory: HOME ?? "/" });
    expect(await other.ended).toBe(0);
    expect(other.output()).toMatch(/^approved \(once.*\): sh -c /m);
  }

  it.each([
    ["first", []],
    ["second", ["d"]],
  ] as const)(
    "Ctrl-C at the %s question ends it with 130, and nothing is left behind",
    async (_which, typed) => {
      const places = makePlaces();
      const demo = start(places);
      await demo.seen(question);
      for (const word of typed) {
        demo.type(`${word}\n`);
        await demo.seen(laterQuestion);
      }
      demo.type("\x03");
      expect(await demo.ended).toBe(130);
      expect(demo.output()).toContain("interrupted");
      expect(leftBehind(places)).toEqual([]);
    },
  );
});
