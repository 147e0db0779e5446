/** What a person does in the full-screen face, built and under a real terminal. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { Home } from "../../src/broker/channel/home.js";
import { shortened } from "../../src/broker/request/long-text.js";
import type { Request } from "../../src/broker/request/request.js";
import { shownText } from "../../src/broker/request/shown.js";
import { settleAnswers } from "../support/answering.js";
import { approvalDraft, commandSubject } from "../support/builders.js";
import { wispOn } from "../support/built.js";
import { test } from "../support/person.js";
import { startInPty } from "../support/pty.js";
import { toolSubject } from "../support/request-kinds.js";
import { openAsker, openFace, tempHome } from "../support/temp-home.js";
import { openTui, pressAll, pressUntil, sentByFace } from "../support/tui.js";

type Draft = Parameters<typeof approvalDraft>[0];

interface Asked {
  readonly home: Home;
  readonly request: Request;
  /** Files another one. */
  ask(overrides?: Draft): Request;
  isWaiting(): boolean;
  /** How it ended; null while it has not. */
  decision(): string | null;
}

/** A request of this process, which settles every answer; it waits for ten minutes. */
function ask(overrides: Draft = {}, longTexts: readonly string[] = []): Asked {
  const home = tempHome();
  const { channel } = openAsker(home);
  const file = (more: Draft, texts: readonly string[] = []): Request =>
    channel.file(approvalDraft({ expiresAt: Date.now() + 600_000, ...more }), texts);
  const request = file(overrides, longTexts);
  settleAnswers(channel);
  return {
    home,
    request,
    ask: (more = {}) => file(more),
    isWaiting: () => openFace(home).pending().requests.length > 0,
    decision: () => openFace(home).receipt(request.id)?.decision ?? null,
  };
}

/** Names of everything below the directory of requests. */
function filesOf(home: Home): readonly string[] {
  return readdirSync(join(home.path, "pending"), { recursive: true, encoding: "utf8" }).map(String).sort();
}

describe("a key", () => {
  test("that comes in the grace never answers, in 1,000 tries, and one after the quiet does", async ({
    person: _,
  }) => {
    const { home, isWaiting, decision } = ask({ scopes: ["once", "session", "project", "always"] });
    const tui = await openTui(home);
    await tui.seen("git push origin main");
    const before = filesOf(home);
    for (let round = 0; round < 10; round += 1) {
      // j begins the grace of the card anew; ? and Esc show that all before them was heard.
      tui.pty.type(`j${"ydspan".repeat(17).slice(0, 100)}?`);
      await tui.seen("Keys");
      tui.pty.type("\u001b");
      await tui.seen("Run a command?");
    }
    expect(filesOf(home)).toEqual(before);
    expect(isWaiting()).toBe(true);
    await pressUntil(tui, "y", () => decision() !== null);
    expect(decision()).toBe("approve");
  });

  test.for([
    ["Enter", "\r"],
    ["the space bar", " "],
    ["a digit", "1"],
  ] as const)("%s never answers", async ([_what, key], { person: _ }) => {
    const { home, isWaiting, decision } = ask();
    const tui = await openTui(home);
    await tui.seen("git push origin main");
    await pressAll(tui, key, key);
    expect(isWaiting()).toBe(true);
    await pressUntil(tui, "d", () => decision() !== null);
    expect(decision()).toBe("deny");
  });

  test("that is pasted answers nothing, and neither does a reply of the terminal", async ({ person: _ }) => {
    const { home, isWaiting, decision } = ask();
    const tui = await openTui(home);
    await tui.seen("git push origin main");
    const pasted = "\u001b[200~y\r\u001b[201~";
    await pressAll(tui, pasted, "\u001b[?1;2c", "\u001b]11;rgb:dddd/yyyy/dddd\u0007", "\u001by");
    expect(isWaiting()).toBe(true);
    await pressUntil(tui, "y", () => decision() !== null);
    expect(decision()).toBe("approve");
  });
});

describe("an answer", () => {
  test("in the command line closes the card, and says who answered and how", async ({ person: _ }) => {
    const { home, request } = ask();
    const tui = await openTui(home);
    await tui.seen(request.id);
    const other = startInPty(wispOn(home, "approvals", "approve", request.id));
    expect(await other.ended).toBe(0);
    await tui.seen("no longer waiting: answered in wisp approvals (approved, once");
    await tui.until((screen) => !screen.includes("Run a command?"));
  });

  test("in the face ends a question of the command line, which says who answered and how", async ({
    person: _,
  }) => {
    const { home, request, decision } = ask({ level: "dangerous" });
    const other = startInPty(wispOn(home, "approvals", "approve", request.id));
    await other.seen('Type "main"');
    const tui = await openTui(home);
    await tui.seen("git push origin main");
    await pressUntil(tui, "d", () => decision() !== null);
    expect(await other.ended).toBe(5);
    expect(other.output()).toMatch(/denied \([^)]+\) in wisp-tui/);
  });

  test("to what is dangerous takes a typed word, not a pasted one", async ({ person: _ }) => {
    const { home, isWaiting, decision } = ask({ level: "dangerous" });
    const tui = await openTui(home);
    await tui.seen("git push origin main");
    await pressUntil(tui, "y", () => tui.screen().join("\n").includes("type main to approve"));
    // Not every terminal marks what is pasted.
    tui.pty.type("main\r");
    tui.pty.type("\u001b[200~main\u001b[201~\r");
    await tui.seen("Pasted text is not taken");
    expect(isWaiting()).toBe(true);
    await pressUntil(tui, "m", () => /approve \(once\): m/.test(tui.screen().join("\n")));
    for (const [letter, word] of [
      ["a", "ma"],
      ["i", "mai"],
      ["n", "main"],
    ] as const) {
      tui.pty.type(letter);
      await tui.until((screen) => screen.includes(`approve (once): ${word}`));
    }
    await pressUntil(tui, "\r", () => decision() !== null);
    expect(decision()).toBe("approve");
  });
});

describe("what runs", () => {
  test("is shown to its last character where it lies in a file of its own, and only then approved", async ({
    person: _,
  }) => {
    const long = `cat <<E\n${Array.from({ length: 2_000 }, (_line, index) => `line ${index} of many`).join("\n")}\nE\nthe-very-end`;
    const subject = commandSubject({ line: shortened(long), command: "cat", argv: null });
    const { home, isWaiting, decision } = ask({ subject }, [long]);
    const tui = await openTui(home);
    await tui.seen("cat <<E");
    await pressAll(tui, "y");
    expect(isWaiting()).toBe(true);
    tui.pty.type("\u001b[F");
    await tui.seen("the-very-end");
    await pressUntil(tui, "y", () => decision() !== null);
    expect(decision()).toBe("approve");
  });

  test("cannot be approved where that file is gone, and can be denied", async ({ person: _ }) => {
    const long = "x".repeat(30_000);
    const subject = commandSubject({ line: shortened(long), command: "x", argv: null });
    const { home, isWaiting, decision } = ask({ subject }, [long]);
    for (const name of readdirSync(home.spool)) rmSync(join(home.spool, name));
    const tui = await openTui(home);
    await tui.seen("its whole text is missing");
    await pressAll(tui, "y");
    expect(isWaiting()).toBe(true);
    await pressUntil(tui, "d", () => decision() !== null);
    expect(decision()).toBe("deny");
  });

  test.for([
    ["no argument at all", {}, "{}"],
    ["an empty list and an empty text", { list: [], text: "" }, '"text": ""'],
  ] as const)("is a tool called with %s", async ([_what, given, shown], { person: _ }) => {
    const plain = { title: null, description: null, definition: null, preview: null };
    const { home, decision } = ask({ subject: toolSubject({ ...plain, arguments: given }) });
    const tui = await openTui(home);
    await tui.seen("Call a tool?");
    await tui.until((screen) => /│ runs +┃ write_file +│\n│ with +┃ /.test(screen) && screen.includes(shown));
    await pressUntil(tui, "y", () => decision() !== null);
    expect(decision()).toBe("approve");
  });
});

describe("the caret", () => {
  test("stands where the text is, also behind wide characters", async ({ person: _ }) => {
    const { home } = ask();
    const tui = await openTui(home);
    await tui.seen("git push origin main");
    expect(tui.caret().isVisible).toBe(false);
    tui.pty.type("/help 漢字é");
    await tui.seen("/help 漢字é");
    await expect.poll(() => tui.beforeCaret()).toMatch(/› \/help 漢字é$/);
    expect(tui.caret().isVisible).toBe(true);
    tui.pty.type("\u001b[D\u001b[D");
    await expect.poll(() => tui.beforeCaret()).toMatch(/› \/help 漢$/);
    tui.pty.type("\u001b");
    await expect.poll(() => tui.caret().isVisible).toBe(false);
  });
});

describe("a hostile request", () => {
  const hostile = [
    "git push \u001b]52;c;cm0gLXJmIH4=\u0007 origin \u001b[38;5;201mred\u001b[0m",
    "npm publish\rgit status",
    "git push origin \u202eniam",
    "git\u200b push \u009b31m \u0008\u0008",
    "\u001b[?1049l\u001b[2J\u001b[3J\u001bc cat",
  ];

  test.for(hostile)(
    "sends no byte of its own to the terminal, and is shown: %j",
    async (line, { person: _ }) => {
      const { home, decision } = ask({
        subject: commandSubject({ line, argv: ["sh", "-c", line], command: line, directory: `/tmp/${line}` }),
        says: line,
        thread: line,
        client: { name: line, version: line },
      });
      const tui = await openTui(home, { columns: 200, rows: 50 });
      await tui.seen(shownText(line));
      // All of the frame: a sequence of ours that is cut is none that we know.
      await expect.poll(() => tui.sent().endsWith("\u001b[?2026l")).toBe(true);
      const rest = tui.sent().replaceAll(sentByFace, "");
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
      expect(rest).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b\u202e]/);
      expect(tui.sent()).not.toContain("\u001b[38;5;201m");
      expect(tui.unusualModes()).toContain("alternate screen");
      await pressUntil(tui, "y", () => decision() !== null);
      expect(decision()).toBe("approve");
    },
  );
});
