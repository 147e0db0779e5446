import { describe, expect, it } from "vitest";
import type { Request } from "../../../src/broker/request/request.js";
import { screenOf } from "../../../src/tui/screen/screen-of.js";
import type { Key } from "../../../src/tui/state/event.js";
import { initialModel } from "../../../src/tui/state/model.js";
import { step } from "../../../src/tui/state/step.js";
import { openStore } from "../../../src/tui/store.js";
import { openLines, saidSize } from "../../../src/tui/terminal/lines.js";
import { approvalRequest, commandSubject } from "../../support/builders.js";
import { FakeClock } from "../../support/fake-clock.js";
import { type HeldInbox, heldInbox } from "../../support/held-inbox.js";
import { viewFor } from "../../support/tui-events.js";
import { factToKeep } from "../../support/tui-requests.js";

interface Said {
  readonly inbox: HeldInbox;
  readonly clock: FakeClock;
  /** What was written since the last call. */
  written(): string;
  type(text: string): void;
  press(name: string): void;
  paste(text: string): void;
  close(): void;
}

function say(waiting: readonly Request[] = [], columns = 1_000): Said {
  const clock = new FakeClock();
  const inbox = heldInbox(waiting);
  const place = { home: "~/.wisp", environment: {} };
  const initial = initialModel({ size: saidSize, place, at: 0, now: clock.now(), isLinear: true });
  const store = openStore({
    machine: { initial, step, screenOf },
    inbox,
    lateBox: () => Promise.reject(new Error("nothing is late")),
    clock,
    look: (request) => viewFor(request),
    history: () => Promise.resolve([]),
    ring: () => {},
    quit: () => lines.close(),
  });
  let out = "";
  const write = (text: string, then?: () => void): void => {
    out += text;
    then?.();
  };
  const lines = openLines(store, write, clock, () => columns);
  const key = (overrides: Partial<Key>): void =>
    lines.hear({
      kind: "key",
      key: { text: "", name: "", isControl: false, isMeta: false, isShift: false, ...overrides },
      at: clock.monotonic(),
      since: clock.monotonic(),
    });
  return {
    inbox,
    clock,
    close: () => lines.close(),
    written() {
      const text = out;
      out = "";
      return text;
    },
    type: (text) => {
      for (const character of text) key({ text: character });
    },
    press: (name) => key({ name }),
    paste: (text) => lines.hear({ kind: "pasted", text, at: clock.monotonic() }),
  };
}

/** The face hears of all changes of one look together, when the last of them was told. */
const heard = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A request for a command that is called `name`. */
function asking(name: string): Request {
  return approvalRequest({
    subject: commandSubject({ line: `run ${name}`, argv: ["run", name], command: `run ${name}` }),
  });
}

describe("the face in lines", () => {
  it("says first all that there is, and then each new thing once", async () => {
    const { inbox, written } = say();
    expect(written()).toContain("Nothing waits for you.");
    inbox.arrives(asking("one"));
    await heard();
    const first = written();
    expect(first).toContain("Runs: run one");
    expect(first).toContain("approve");
    inbox.arrives(asking("two"));
    await heard();
    const second = written();
    expect(second).not.toContain("run one");
    expect(second.trim()).not.toBe("");
    inbox.silent();
    expect(written()).toBe("");
  });

  it("begins no row with a text of a request, however long or padded that is", () => {
    const padding = "x ".repeat(200) + "x".repeat(75 - "Goes on: ".length);
    const { written } = say([asking(`${padding} In: /home/p/safe ${"In: ".repeat(60)}`)], 80);
    const rows = written().split("\n");
    expect(rows.filter((row) => row.startsWith("In: "))).toEqual(["In: /home/p/api"]);
    expect(rows.filter((row) => row.length > 79)).toEqual([]);
    expect(rows.filter((row) => row.startsWith("Goes on: ")).join("")).toContain("In: /home/p/safe");
  });

  it("shows what is typed as it is typed, and rubs out what is taken back, wide characters whole", () => {
    const { type, press, written } = say();
    written();
    type("de");
    expect(written()).toBe("de");
    type("漢");
    expect(written()).toBe("漢");
    press("backspace");
    expect(written()).toBe("\b \b\b \b");
    press("backspace");
    expect(written()).toBe("\b \b");
  });

  it("writes the line anew where terminals disagree how wide is what is taken back", () => {
    const { type, press, written } = say();
    type("de");
    type("🇦");
    written();
    press("backspace");
    expect(written()).toBe("\n> de");
    press("backspace");
    expect(written()).toBe("\b \b");
  });

  it("writes nothing into a line that is being typed, and says what is new when it ends", async () => {
    const { inbox, clock, type, press, written } = say([asking("one")]);
    clock.advance(1_000);
    written();
    type("hel");
    inbox.arrives(asking("two"));
    await heard();
    expect(written()).toBe("hel");
    type("p");
    press("return");
    const said = written();
    expect(said.startsWith("p\n")).toBe(true);
    expect(said).toContain("2");
  });

  it("says what is new when the line is given up", async () => {
    const { inbox, type, press, written } = say([asking("one")]);
    written();
    type("app");
    inbox.arrives(asking("two"));
    await heard();
    expect(written()).toBe("app");
    press("escape");
    expect(written()).toContain("2");
  });

  it("answers by a word what was said before it was typed", () => {
    const request = asking("one");
    const { inbox, clock, type, press } = say([request]);
    clock.advance(1_000);
    type("approve");
    press("return");
    expect(inbox.given).toEqual([{ request, given: { decision: "approve", scope: "once", note: null } }]);
  });

  it("answers nothing by a word that was begun for what waits no longer", async () => {
    const [one, two] = [asking("one"), asking("two")];
    const { inbox, clock, type, press, written } = say([one, two]);
    clock.advance(1_000);
    type("appr");
    inbox.leaves(one);
    await heard();
    clock.advance(1_000);
    type("ove");
    press("return");
    expect(inbox.given).toEqual([]);
    expect(written()).toContain("Runs: run two");
    clock.advance(1_000);
    type("approve");
    press("return");
    expect(inbox.given.map(({ request }) => request)).toEqual([two]);
  });

  it("says each time that a word is none, and each notice once", () => {
    const { clock, type, press, written } = say([asking("one")]);
    clock.advance(1_000);
    for (const _ of ["once", "again"]) {
      written();
      type("aprove");
      press("return");
      expect(written().split('There is no word "aprove".')).toHaveLength(2);
      clock.advance(100);
    }
  });

  it("says each time why a word for a changed card counts not yet, keeps it, and takes it at the next Enter", async () => {
    const fact = factToKeep();
    const { inbox, clock, type, press, written } = say([fact]);
    clock.advance(1_000);
    type("drop for-good");
    inbox.detaches(fact);
    await heard();
    for (const _ of ["once", "again"]) {
      written();
      press("return");
      const said = written();
      expect(said).toContain("What is shown has just changed: look at it, then Enter again.");
      expect(said.endsWith("> drop for-good")).toBe(true);
      expect(inbox.given).toEqual([]);
      clock.advance(100);
    }
    clock.advance(1_000);
    press("return");
    expect(inbox.given).toEqual([
      { request: fact, given: { decision: "drop", scope: "always", note: null } },
    ]);
  });

  it("sends no escape, whatever is asked, typed or pasted", async () => {
    const hostile = "a\u001b[31mb\u202ec\u0007\u009b\r\n";
    const { inbox, clock, type, paste, press, written } = say();
    inbox.arrives(asking(hostile));
    await heard();
    type(hostile);
    paste(hostile);
    press("return");
    clock.advance(1_000);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
    expect(written()).not.toMatch(/[\u0000-\u0007\u000b-\u001f\u007f-\u009f\u202e]/);
    press("escape");
    type("deny");
    press("return");
    expect(inbox.given).toHaveLength(1);
  });
});

it("ends its last line when it is left, and says nothing after that", () => {
  const said = say();
  said.type("qu");
  said.written();
  said.close();
  said.inbox.arrives(approvalRequest());
  expect(said.written()).toBe("\n");
});

it("writes nothing behind the end of its last line when a word leaves it", () => {
  const { type, press, written } = say();
  type("quit");
  written();
  press("return");
  expect(written()).toBe("\n");
});
