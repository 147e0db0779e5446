/** How talk is broken into rows of a terminal. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { askedIn, talkIn } from "../../src/cli/talk.js";

it("leaves alone what fits, whatever stands around it", () => {
  const text = "wisp: short\n  why, in a line of its own\n\nprompt: ";
  expect(talkIn(27, text)).toBe(text);
});

it("breaks a longer line at blanks, and indents what goes on below it", () => {
  expect(talkIn(20, "wisp: nobody can answer this here\n  Because it is no terminal\n")).toBe(
    "wisp: nobody can\n  answer this here\n  Because it is no\n    terminal\n",
  );
});

it("breaks no command of ours, which is pasted", () => {
  const line =
    "Take one back: WISP_HOME=/tmp/nc6/home wisp approvals revoke ID; all of them: wisp approvals clear.";
  expect(talkIn(60, line).split("\n")).toEqual([
    "Take one back:",
    "  WISP_HOME=/tmp/nc6/home wisp approvals revoke ID; all of",
    "  them: wisp approvals clear.",
  ]);
  expect(talkIn(20, "See: WISP_HOME=/tmp/nc6/home wisp doctor --fix").split("\n")).toEqual([
    "See:",
    "  WISP_HOME=/tmp/nc6/home wisp doctor --fix",
  ]);
});

it("breaks no line of a complaint that is for a shell", () => {
  const line = "  chmod 700 '/tmp/a/home of mine' && chmod 600 '/tmp/a/home of mine/config.json'";
  expect(talkIn(40, line)).toBe(line);
  expect(talkIn(40, "  ask    git push origin main  by ask Bash(git push *)")).toContain("\n");
  expect(talkIn(40, "  Give another value, or correct the file by hand.")).toContain("\n");
});

it("leaves lines of other scripts to the terminal", () => {
  const card = "command       printf 国国国国国国国国国国 and so on";
  expect(talkIn(20, card)).toBe(card);
});

it("loses and adds nothing but blanks and newlines, and no row is longer than it may be but for what has no blank", () => {
  const word = fc.stringMatching(/^[a-z:;.]{1,12}$/);
  const lines = fc.array(fc.array(word, { maxLength: 30 }), { maxLength: 4 });
  fc.assert(
    fc.property(lines, fc.integer({ min: 20, max: 80 }), (all, columns) => {
      const text = all.map((words) => words.join(" ")).join("\n");
      const rows = talkIn(columns, text).split("\n");
      expect(rows.join(" ").split(/ +/).filter(Boolean)).toEqual(text.split(/[ \n]+/).filter(Boolean));
      for (const row of rows) expect(row.length).toBeLessThanOrEqual(columns);
    }),
  );
});

it("leaves room behind a question for what is typed, however wide the terminal is", () => {
  const question = 'Type "accept" and Enter to accept all of it; anything else changes nothing: ';
  const all = `1 looser.\n${question}`;
  expect(askedIn(82, all, "accept")).toBe(all);
  expect(askedIn(81, all, "accept")).toBe(all.replace("nothing", "\n  nothing").replace(" \n", "\n"));
  for (let columns = 20; columns <= 100; columns += 1) {
    const asked = askedIn(columns, all, "accept");
    expect(asked.replaceAll(/\n {2}/g, " ")).toBe(all);
    for (const row of `${asked}accept`.split("\n")) expect(row.length).toBeLessThanOrEqual(columns);
    // Said as talk it stays as it is.
    expect(talkIn(columns, asked)).toBe(asked);
  }
});
