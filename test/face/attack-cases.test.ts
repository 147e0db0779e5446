/** Given cases of attacks by what a request shows: on its card, in the full-screen face, read aloud, and in plain chat. */
import { describe, expect, it } from "vitest";
import { type ApprovalRequest, sha256Hex } from "../../src/broker/index.js";
import { newsOf } from "../../src/cli/chat/news.js";
import { drawCard } from "../../src/cli/render.js";
import { wide } from "../../src/face/wide.js";
import { linearText } from "../../src/tui/components/linear.js";
import type { Body } from "../../src/tui/screen/screen.js";
import { screenOf } from "../../src/tui/screen/screen-of.js";
import { type AttackCase, attackCase, displayCases, mustShow, named } from "../support/attack-cases.js";
import { approvalRequest } from "../support/builders.js";
import { drawn } from "../support/drawn.js";
import { fakeInbox } from "../support/fake-inbox.js";
import { toolSubject } from "../support/request-kinds.js";
import { Stage, viewFor, wallZero } from "../support/tui-events.js";
import { toRun } from "../support/tui-requests.js";

function requestOf({ input }: AttackCase): ApprovalRequest {
  if (typeof input === "string") return toRun(input);
  const { tool, args } = input;
  const called = { tool: String(tool), arguments: { ...Object(args) }, definition: null, preview: null };
  return approvalRequest({ subject: toolSubject({ ...called, argumentsHash: sha256Hex("arguments") }) });
}

/** Nothing that a terminal or a reader obeys, and nothing that cannot be seen. */
const obeyed = /[\p{Cc}\p{Cf}\u{e0000}-\u{e007f}]/u;

function expectShown(one: AttackCase, whatRuns: string): void {
  for (const text of mustShow(one)) expect(whatRuns).toMatch(text);
}

function cardOf(body: Body) {
  if (body.kind !== "work") throw new Error("No card is open.");
  return body.card;
}

/** A face high enough for all of the card. */
function openedWith(request: ApprovalRequest, columns: number, isLinear = false): Stage {
  const stage = new Stage({ columns, rows: 400 }, 0, isLinear);
  stage.waits([request]);
  return stage;
}

const titled = displayCases.map((one) => [named(one.id), one] as const);

describe("what a request shows", () => {
  it.each(titled)(
    "%s is visible on a card, with a warning where anything is written out",
    async (_named, one) => {
      const { card } = viewFor(requestOf(one));
      const texts = card.fields.flatMap(({ lines }) => lines);
      expect(texts.join("")).not.toMatch(obeyed);
      expectShown(one, card.fields.flatMap(({ lines, isContent }) => (isContent ? lines : [])).join("\n"));
      const isWritten = texts.some((text) => /\\u\{|␠×/.test(text));
      expect(card.fields.some(({ label }) => label === "warning")).toBe(isWritten);
      expect(card.escapes > 0).toBe(isWritten);
      const terminal = { isTerminal: true, columns: 80, rows: 24, write: () => {} };
      const { text } = await drawCard(card, terminal, (_level, plain) => plain);
      for (const line of text.split("\n")) {
        expect(line).not.toMatch(obeyed);
        expect(wide.of(line)).toBeLessThanOrEqual(80);
      }
    },
  );

  it.each(titled)("%s is visible in the full-screen face, inside of its frame", (_named, one) => {
    for (const columns of [60, 80, 200]) {
      const screen = screenOf(openedWith(requestOf(one), columns).model);
      const rows = drawn(screen);
      for (const row of rows) {
        expect(row).not.toMatch(obeyed);
        expect(wide.of(row)).toBeLessThanOrEqual(columns);
      }
      const card = cardOf(screen.body);
      const content = card.rows.filter(({ tone }) => tone === "content");
      expectShown(one, content.map(({ text }) => text).join(""));
      // Every row of it stands in the box of what runs.
      for (const { text } of content) expect(rows.some((row) => row.includes(`┃ ${text}`))).toBe(true);
    }
  });

  it.each(titled)("%s is told where it is read aloud", (_named, one) => {
    const lines = linearText(screenOf(openedWith(requestOf(one), 80, true).model));
    for (const line of lines) expect(line).not.toMatch(obeyed);
    expectShown(one, lines.filter((line) => /^(Runs|With|Next line): /.test(line)).join("\n"));
  });

  it.each(titled)("%s takes its own rows in plain chat, whatever is in it", (_named, one) => {
    for (const columns of [60, 80]) {
      const clock = { now: () => wallZero };
      const inbox = fakeInbox([requestOf(one)]);
      const told = newsOf({ inbox, clock, widths: wide, columns: () => columns, canAnswer: false }).take();
      const rows = told.trimEnd().split("\n");
      expect(rows).toHaveLength(columns < 80 ? 2 : 1);
      for (const row of rows) {
        expect(row).toMatch(/^(waits: | {2}what: )/);
        expect(row).not.toMatch(obeyed);
        expect(wide.of(row)).toBeLessThanOrEqual(columns);
      }
    }
  });

  it(`${named("case-040")} keeps every yes off until its end was on the screen`, () => {
    const stage = new Stage({ columns: 80, rows: 24 });
    stage.waits([requestOf(attackCase("case-040"))]);
    const whatRuns = (): string =>
      cardOf(screenOf(stage.model).body)
        .rows.map(({ text }) => text)
        .join("");
    for (const key of ["y", "n", "s"]) stage.calmly(key);
    expect(whatRuns()).not.toContain("npm publish");
    expect(stage.answers).toEqual([]);
    stage.press("end");
    expect(whatRuns()).toContain("npm publish");
    stage.calmly("y");
    expect(stage.answers).toHaveLength(1);
  });
});
