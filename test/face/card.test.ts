import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import type { Shortfall } from "../../src/broker/request/assurance.js";
import { composeRequest } from "../../src/broker/request/binding.js";
import type { ApprovalRequest, Draft, Request } from "../../src/broker/request/request.js";
import { drawCard, paintFor } from "../../src/cli/render.js";
import type { Output } from "../../src/cli/terminal.js";
import { type CardFacts, cardOf } from "../../src/face/card.js";
import { approvalRequest, commandSubject, filingFacts } from "../support/builders.js";
import {
  everyDraft,
  factDraft,
  permissionSubject,
  questionDraft,
  toolSubject,
} from "../support/request-kinds.js";

const now = 1_790_000_019_000;
const plain = (_level: string, text: string): string => text;

const output = (isTerminal: boolean, columns = 80): Output => ({ isTerminal, columns, rows: 24, write() {} });

function factsOf(request: Request, overrides: Partial<CardFacts> = {}): CardFacts {
  const subject = request.kind === "approval" ? request.subject : null;
  const texts =
    subject?.type === "command" && typeof subject.line === "string" && typeof subject.command === "string"
      ? { line: subject.line, command: subject.command }
      : { line: "", command: "" };
  const none = { rejected: 0, shortfalls: [], isDetached: false, keepsNone: false, late: null };
  return { texts, home: null, now, ...none, here: null, ...overrides };
}

async function drawn(
  request: Request,
  to = output(false),
  overrides: Partial<CardFacts> = {},
): Promise<string> {
  return (await drawCard(cardOf(request, factsOf(request, overrides)), to, plain)).text;
}

/** What stands behind `label`, a text for each row that has it. */
function rowsOf(text: string, label: string): readonly string[] {
  const rows = text.split("\n").filter((row) => row.startsWith(label.padEnd(14)));
  return rows.map((row) => row.slice(14));
}

function withLine(line: string, overrides: Parameters<typeof approvalRequest>[0] = {}): ApprovalRequest {
  return approvalRequest({ subject: commandSubject({ line, command: line, argv: null }), ...overrides });
}

describe("a card", () => {
  it("says once what the level and the rule both say, and every other rule", async () => {
    const of = (rule: string): Promise<string> =>
      drawn(approvalRequest({ reasons: ["every command asks"], rule }), output(false));
    expect(await of("every command asks (built in)")).not.toContain("rule ");
    expect(await of("every command asks (built in)")).toContain(
      "level         moderate: every command asks\n",
    );
    expect(await of("every command asks (policy.json:7)")).toContain(
      "rule          every command asks (policy",
    );
  });

  it("shows everything a person decides by, each under a label", async () => {
    const request = approvalRequest(
      {
        level: "high",
        reasons: ["writes to a remote", "leaves this machine"],
        rule: "ask Bash(git push *) (policy.json:7)",
        says: "Publish the fix\nso CI can run",
        scopes: ["once", "session"],
        thread: "git",
        subject: commandSubject({
          line: "cd /tmp && git push origin main",
          program: { path: "/usr/bin/git", device: "1", inode: "2", size: 3, mtime: "4" },
          pattern: "Bash(git push *)",
        }),
      },
      { id: "k7q2mx9d" },
    );
    expect(
      await drawn(request, output(false), { home: "/tmp/other", here: "terminal, as far as seen" }),
    ).toBe(
      [
        "request       k7q2mx9d (approval)",
        "runs          cd /tmp && git push origin main",
        "asks for      git push origin main",
        "in            /home/p/api",
        "program       /usr/bin/git",
        "pattern       Bash(git push *)",
        "level         high: writes to a remote; leaves this machine",
        "rule          ask Bash(git push *) (policy.json:7)",
        "calls itself  test-client 1.0.0",
        "thread        git",
        "process       4711",
        "agent says    Publish the fix",
        "           ⏎  so CI can run",
        "scopes        once, session",
        "session       exactly this pattern in this directory,",
        "              until 2 h without use, 12 h at most,",
        "              only for this connection of test-client",
        "assurance     file or better",
        "from here     terminal, as far as seen",
        "left          9:41",
        "home          /tmp/other",
        "",
      ].join("\n"),
    );
  });

  it.each<[string | null, string, readonly string[]]>([
    [null, "exactly this line in this directory,", []],
    ["git push origin main", "exactly this line in this directory,", []],
    ["Bash(git *)", "exactly this pattern in this directory,", ["Bash(git *)"]],
  ])(
    "says what a yes for the session covers where its rule is %j, and says a rule once",
    async (pattern, covers, rules) => {
      const subject = commandSubject({ pattern });
      const offered = await drawn(approvalRequest({ subject, scopes: ["once", "session"] }));
      expect(rowsOf(offered, "session").map((row) => row.slice(0, covers.length))).toEqual([covers]);
      expect(rowsOf(offered, "pattern")).toEqual(rules);
      expect(rowsOf(await drawn(approvalRequest({ subject })), "session")).toEqual([]);
    },
  );

  it("names nobody whom a yes for the session would cover but the connection that asks, and the name last", async () => {
    const of = async (client: ApprovalRequest["client"]): Promise<readonly string[]> => {
      const text = await drawn(
        approvalRequest({ scopes: ["once", "session"], client, subject: toolSubject({ state: "none" }) }),
      );
      const rows = text.split("\n");
      const first = rows.findIndex((row) => row.startsWith("session "));
      return rows.slice(first, first + 4).map((row) => row.slice(14));
    };
    const terms = ["exactly this call,", "until 2 h without use, 12 h at most,"];
    expect(await of(null)).toEqual([...terms, "only for this connection", "file or better"]);
    expect(await of({ name: "a\u001b[2J", version: "1" })).toEqual([
      ...terms,
      "only for this connection of a\\u{1b}[2J",
      "file or better",
    ]);
  });

  it("says that a yes for the session holds while what it touches stays as it is, where that is bound", async () => {
    const drawnOf = (state: ReturnType<typeof toolSubject>["state"]) =>
      drawn(approvalRequest({ scopes: ["once", "session"], subject: toolSubject({ state }) }));
    const holds = "while what it touches stays as it is now,";
    expect(await drawnOf(toolSubject().state)).toContain(holds);
    expect(await drawnOf("none")).not.toContain(holds);
  });

  it("asks a terminal for its columns only where a line might not fit the narrowest", async () => {
    const asked: string[] = [];
    const terminal: Output = {
      isTerminal: true,
      get columns() {
        asked.push("columns");
        return 80;
      },
      rows: 24,
      write: () => {},
    };
    const client = { name: "Visual Studio Code", version: "1.104.0" };
    const session = approvalRequest({
      scopes: ["once", "session"],
      client,
      subject: commandSubject({ pattern: "Bash(git push *)" }),
    });
    expect(await drawn(session, terminal)).toContain(" of Visual Studio Code\n");
    expect(asked).toEqual([]);
    await drawn(withLine("a".repeat(47)), terminal);
    expect(asked).not.toEqual([]);
  });

  it("counts what it escapes, in every field", () => {
    const request = withLine("rm \u202e a", { says: "\u001b[2J\u200b", thread: "a\tb", reasons: ["\u0007"] });
    const { escapes, fields } = cardOf(request, factsOf(request));
    expect(escapes).toBe(5);
    expect(fields.at(-1)).toEqual({
      label: "warning",
      lines: ["5 characters stand escaped, as \\u{…} or ␠×N, in: runs, level, thread, agent says"],
      isContent: false,
    });
    const clean = withLine("rm a");
    expect(cardOf(clean, factsOf(clean)).escapes).toBe(0);
  });

  it.each(Object.entries(everyDraft()))(
    "lets nothing through that a terminal interprets: %s",
    async (_name, draft) => {
      const evil = "\u001b[2J\u009b1m\u0007\r\u202e\u2028";
      const poisoned = JSON.parse(
        JSON.stringify(draft, (key, value: unknown) =>
          typeof value === "string" && !fixedFields.has(key) ? `${value}${evil}` : value,
        ),
      ) as typeof draft;
      const request = composeRequest(poisoned, filingFacts());
      const texts = { line: `git push${evil}`, command: `git push${evil}` };
      const text = await drawn(request, output(true, 60), { texts, home: `/tmp/${evil}` });
      expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}|\p{Cf}|\p{Zl}/u);
      expect(text).toContain("\\u{1b}[2J");
    },
  );

  it.each<[readonly Shortfall[], readonly string[]]>([
    [[], []],
    [["within_client"], ["1 answer was not enough: from within a client's own processes"]],
    [["terminal_held"], ["1 answer was not enough: from a terminal that a client's process holds"]],
    [["no_terminal"], ["1 answer was not enough: standard input was not the controlling terminal"]],
    [["process_unseen"], ["1 answer was not enough: its server could not see the process"]],
    [
      ["process_gone", "no_terminal", "process_gone"],
      [
        "3 answers were not enough: 2 × no living process behind it; standard input was not the controlling terminal",
      ],
    ],
  ])("says from the first what was wanting of answers that fell short: %j", async (shortfalls, rows) => {
    const text = await drawn(approvalRequest(), output(false), { rejected: shortfalls.length, shortfalls });
    expect(rowsOf(text, "answers")).toEqual(rows);
    expect(text).not.toContain("something is writing");
  });

  it("says that something writes answers from the fifth that was not taken", async () => {
    const request = approvalRequest();
    expect(await drawn(request, output(false), { rejected: 4 })).not.toContain("writing answers");
    expect(await drawn(request, output(false), { rejected: 5 })).toContain("something is writing answers: 5");
  });

  it.each([
    [null, "left          it waits for ever"],
    [now, "left          its time is over; its server decides"],
    [now + 60_000, "left          1:00"],
  ])("says how much time is left of %s", async (expiresAt, line) => {
    expect(await drawn(approvalRequest({ expiresAt }))).toContain(line);
  });

  it("says that a command whose text is missing cannot be approved", async () => {
    const text = await drawn(approvalRequest(), output(false), { texts: null });
    expect(text).toContain("runs          (its whole text is missing, so it cannot be approved)");
    expect(text).not.toContain("git push");
  });

  it("shows a client's own prompt, a fact and a question", async () => {
    expect(await drawn(approvalRequest({ subject: permissionSubject() }))).toContain("runs          Edit\n");
    const fact = await drawn(composeRequest(factDraft(), filingFacts()));
    expect(fact).toContain(
      [
        "about         api",
        "name          test command",
        "value         npm test",
        "kept already  abcdefgh: npm run test",
        "to replace    wisp facts forget ID, with the id of what is kept already",
        "source        package.json",
        "in            /home/p/api",
        "holds         in this directory, or everywhere",
        "",
      ].join("\n"),
    );
    const question = await drawn(composeRequest(questionDraft(), filingFacts()));
    expect(question).toContain(
      [
        "asks          Which database?",
        "option 1      PostgreSQL",
        "              as in production",
        "option 2      SQLite",
        "takes         one of these",
        "in            /home/p/api",
        "",
      ].join("\n"),
    );
    expect(question).toContain("calls itself  nothing (stdio)\n");
  });
});

/** Fields whose values the format fixes. */
const fixedFields = new Set([
  "kind",
  "type",
  "level",
  "scopes",
  "assurance",
  "sha256",
  "argumentsHash",
  "definitionHash",
  "state",
  "device",
  "inode",
  "mtime",
  "0",
  "1",
]);

describe("what is decided about a fact and a question", () => {
  it("counts as content to its last character: subject, name, value and what is kept already; text and options", () => {
    const of = (draft: Draft): readonly string[] => {
      const request = composeRequest(draft, filingFacts());
      return cardOf(request, factsOf(request)).fields.flatMap(({ label, isContent }) =>
        isContent ? [label] : [],
      );
    };
    expect(of(factDraft())).toEqual(["about", "name", "value", "kept already"]);
    expect(of(questionDraft())).toEqual(["asks", "option 1", "", "option 2"]);
  });

  it("says of a fact without a directory that it would hold everywhere", async () => {
    const { fact } = factDraft();
    const draft = factDraft({ fact: { ...fact, directory: null } });
    expect(await drawn(composeRequest(draft, filingFacts()))).toContain(
      "holds         everywhere, if it is kept",
    );
  });

  it("says what an answer from here would count as", async () => {
    const request = composeRequest(questionDraft(), filingFacts());
    expect(rowsOf(await drawn(request, output(false), { here: "terminal" }), "from here")).toEqual([
      "terminal",
    ]);
  });
});

describe("a drawn card", () => {
  it.each([60, 80, 120, 200])(
    "fits %d columns, and no text reaches the column of labels",
    async (columns) => {
      const fake = `${"a".repeat(columns - 14)}in            /safe`;
      const request = withLine(`${fake}\n界${"界".repeat(columns)}`, {
        says: `${"b".repeat(columns - 14)}left          9:59`,
      });
      const rows = (await drawn(request, output(true, columns))).split("\n");
      for (const row of rows) expect(stringWidth(row)).toBeLessThanOrEqual(columns);
      expect(rows.filter((row) => row.startsWith("in "))).toEqual(["in            /home/p/api"]);
      expect(rows.filter((row) => row.startsWith("left "))).toHaveLength(1);
      expect(rows.join("").replaceAll(" ", "")).toContain(`runs${"a".repeat(columns - 14)}in`);
    },
  );

  it("marks a line of a text, and not the fold of a long one", async () => {
    const rows = (await drawn(withLine(`${"a".repeat(70)}\nb`), output(true, 80))).split("\n");
    expect(rows.slice(1, 4)).toEqual([
      `runs          ${"a".repeat(66)}`,
      `              ${"a".repeat(4)}`,
      "           ⏎  b",
    ]);
  });

  it("keeps long lines whole where it is not drawn on a terminal", async () => {
    expect(await drawn(withLine("a".repeat(500)), output(false))).toContain("a".repeat(500));
  });

  it("counts the rows that what runs takes as they are drawn", async () => {
    const request = withLine(`${"a".repeat(150)}\nb\nc`);
    const card = cardOf(request, factsOf(request));
    expect((await drawCard(card, output(true, 80), plain)).contentRows).toBe(5);
    expect((await drawCard(card, output(true, 200), plain)).contentRows).toBe(3);
  });
});

describe("colours", () => {
  const coloured = (isTerminal: boolean, environment: Record<string, string>): string =>
    paintFor(output(isTerminal), environment)("dangerous", "dangerous");

  it("mark the two high levels on a terminal", () => {
    expect(coloured(true, {})).toBe("\u001b[1;31mdangerous\u001b[0m");
    expect(paintFor(output(true), {})("low", "low")).toBe("low");
  });

  it.each<[string, boolean, Record<string, string>]>([
    ["the output is no terminal", false, { FORCE_COLOR: "1" }],
    ["NO_COLOR is set", true, { NO_COLOR: "1", FORCE_COLOR: "1" }],
    ["the terminal is dumb", true, { TERM: "dumb" }],
  ])("are left out where %s", (_why, isTerminal, environment) => {
    expect(coloured(isTerminal, environment)).toBe("dangerous");
    expect(coloured(true, { NO_COLOR: "", TERM: "dumb", FORCE_COLOR: "1" })).toContain("\u001b[1;31m");
  });

  it("stand on the level's word alone", async () => {
    const request = approvalRequest({ level: "dangerous", reasons: ["rm -r"] });
    const { text } = await drawCard(
      cardOf(request, factsOf(request)),
      output(true),
      paintFor(output(true), {}),
    );
    expect(text).toContain("level         \u001b[1;31mdangerous\u001b[0m: rm -r\n");
  });
});
