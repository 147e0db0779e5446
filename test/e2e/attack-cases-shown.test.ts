/** Given cases of attacks by what a request shows, with the built programs at a terminal. */
import { describe, expect } from "vitest";
import { type Home, homeAt } from "../../src/broker/channel/home.js";
import { sha256Hex } from "../../src/broker/request/long-text.js";
import { settleAnswers } from "../support/answering.js";
import { type AttackCase, attackCase, displayCases, mustShow, named } from "../support/attack-cases.js";
import { approvalDraft } from "../support/builders.js";
import { wispOn } from "../support/built.js";
import { openFace } from "../support/face.js";
import { long } from "../support/filed.js";
import { test } from "../support/person.js";
import { startInPty } from "../support/pty.js";
import { toolSubject } from "../support/request-kinds.js";
import { asks, ownPlaces, serve } from "../support/served.js";
import { openAsker, tempHome } from "../support/temp-home.js";
import { openTui, pressAll, pressUntil, type Tui } from "../support/tui.js";

interface Asked {
  readonly home: Home;
  readonly id: string;
  /** How it ended; null while it waits. */
  outcome(): Promise<string | null>;
}

/** A line is asked by a built server; a tool's arguments are, by a server of this process. */
async function asked({ input }: AttackCase): Promise<Asked> {
  if (typeof input === "string") {
    const served = await serve(ownPlaces());
    const call = await asks(served, { line: input });
    const { id } = served.face.only();
    const outcome = async (): Promise<string | null> => {
      if (!served.server.client.hasResponseTo(call)) return null;
      const { structuredContent } = await served.server.client.resultOf(call);
      return String(structuredContent?.outcome);
    };
    return { home: homeAt(served.home, false), id, outcome };
  }
  const home = tempHome();
  const { channel } = openAsker(home);
  const { tool = "", args } = input;
  const called = { tool, arguments: { ...Object(args) }, definition: null, preview: null };
  const subject = toolSubject({ ...called, argumentsHash: sha256Hex("arguments") });
  const { id } = channel.file(
    approvalDraft({ subject, level: "dangerous", expiresAt: Date.now() + 600_000 }),
    [],
  );
  settleAnswers(channel);
  const outcome = async (): Promise<string | null> =>
    openFace(home.path).receiptOf(id)?.decision === "deny" ? "denied" : null;
  return { home, id, outcome };
}

const esc = String.fromCharCode(27);
/** What the faces and readline send of their own: sequences to draw with, and the usual set of characters. */
const own = new RegExp(
  `\u000f(?=${esc})|${esc}(\\[=0u|\\[>4;0m|\\[[?\\d;]*[A-Za-z]|\\[\\d* q|[()]B|[78=>])`,
  "g",
);

/** No byte of the request reached the terminal that it obeys, or that nobody sees. */
function expectNothingObeyed(sent: string, { input }: AttackCase): void {
  const rest = sent.replace(own, "");
  expect(rest.replaceAll("\u0007", "")).not.toMatch(/(?![\r\n])[\p{Cc}\p{Cf}]/u);
  // The bell is ours where it follows nothing of theirs.
  expect(rest).not.toContain("cm0gLXJmIH4=\u0007");
  // What the line would have had a terminal do, as it stands.
  if (typeof input === "string" && /[^\P{C}]/u.test(input)) expect(sent).not.toContain(input);
}

function expectShown(one: AttackCase, whatRuns: string): void {
  for (const text of mustShow(one)) expect(whatRuns).toMatch(text);
}

/** What runs, as the rows of a card have it: each between its bar and the frame, which closes on every row. */
function boxed({ screen }: Tui): string {
  const rows = screen().filter((row) => row.includes("┃ "));
  for (const row of rows) expect(row).toMatch(/^│ (runs|with|⏎)? +┃ .*│$/);
  return rows.map((row) => row.replace(/^[^┃]*┃ /, "").replace(/ *│$/, "")).join("");
}

describe("what a request shows", () => {
  test.for(displayCases.map((one) => [named(one.id), one] as const))(
    "%s obeys nothing at a terminal, in the full-screen face and in plain chat, and a no ends it",
    async ([_named, one], { person: _ }) => {
      const { home, id, outcome } = await asked(one);
      const tui = await openTui(home);
      await tui.seen(id);
      await tui.seen("runs");
      const isLong = one.id === "case-040";
      if (isLong) {
        // The end is not there yet, and no key that approves does anything.
        await pressAll(tui, "y");
        expect(boxed(tui)).not.toContain("npm publish");
        expect(await outcome()).toBeNull();
        tui.pty.type(`${esc}[F`);
        await tui.until(() => boxed(tui).includes("npm publish"));
      }
      await tui.until(() => mustShow(one).every((text) => text.test(boxed(tui))));

      const chat = startInPty(wispOn(home, "chat", "--plain"), { columns: 200 });
      await chat.seen("wisp> ");
      chat.type(`/approvals approve ${id}\r`);
      await expect.poll(() => /Type (y|")/.test(chat.output()), long).toBe(true);
      // Where a line was folded it goes on below the label.
      expectShown(one, chat.output().replace(/\n {14}/g, ""));
      chat.type("\u0003");
      expect(await chat.ended).toBe(130);

      let isOver = false;
      await pressUntil(tui, "d", () => {
        void outcome().then((how) => {
          isOver = how !== null;
        });
        return isOver;
      });
      expect(await outcome()).toBe("denied");
      tui.pty.type("q");
      expect(await tui.ended()).toBe(0);
      for (const sent of [tui.sent(), chat.output()]) expectNothingObeyed(sent, one);
    },
  );

  test(`${named("case-034")} leaves what a terminal keeps as it was, and an ordinary line still runs`, async ({
    person,
  }) => {
    const served = await serve(ownPlaces());
    const hostile = await asks(served, { line: String(attackCase("case-034").input) });
    const tui = await openTui(homeAt(served.home, false));
    await tui.seen("\\u{1b}]52");
    await pressUntil(tui, "d", () => served.server.client.hasResponseTo(hostile));
    expect(tui.sent()).not.toContain(`${esc}]`);
    const good = await asks(served);
    await tui.seen("printf");
    await person.approves(served.home, served.face.only());
    expect((await served.server.client.resultOf(good)).structuredContent).toMatchObject({ stdout: "once" });
  });
});
