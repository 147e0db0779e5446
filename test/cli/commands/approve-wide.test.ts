/** A yes for longer than the connection: its rule is shown, asked about, and told. */
import { describe, expect, it } from "vitest";
import type { Offer } from "../../../src/broker/request/request.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { approve } from "../../../src/cli/commands/approve.js";
import { offeringDraft, twoOffers } from "../../support/builders.js";
import { answerIn, filed, filedOnly, isWaiting, type Overrides } from "../../support/filed.js";
import { ruleDraft } from "../../support/remembered.js";
import { RememberedHome } from "../../support/remembered-home.js";
import { toolSubject } from "../../support/request-kinds.js";
import { startVerb } from "../../support/run-verb.js";
import { openFace } from "../../support/temp-home.js";

const every = offeringDraft();
const [exact = "", form = ""] = twoOffers().offers.map(({ rule }) => rule);

/** Files what offers everything, types `lines` at what is asked, and says what came of it. */
async function approving(
  words: readonly string[],
  lines: readonly (string | null)[],
  overrides: Overrides = {},
) {
  const { home, request } = filed({ ...every, ...overrides });
  const { terminal, ended } = startVerb(approve, [request.id, ...words], { home, columns: 100 });
  for (const line of lines) terminal.type(line);
  const ran = await ended;
  const { questions } = terminal;
  return { ...ran, home, request, questions, receipt: openFace(home).receipt(request.id) };
}

function oneOffer(rule: string): Overrides {
  return { remember: { days: 1, offers: [{ rule, matches: null, misses: null }] } };
}

describe("wisp approvals approve for longer than the connection", () => {
  it.each([
    ["project", "in            /home/p/api\n"],
    ["always", "in            every directory\n"],
  ])("shows the exact rule, asks, and says what is remembered: %s", async (scope, where) => {
    const { exit, out, err, questions, home, request } = await approving(["--scope", scope], ["y"]);
    expect(exit).toBe(0);
    expect(out).toBe(
      `approved (${scope}, 30 days, terminal): git push origin main — for test-client\nremembered: ${exact}\n`,
    );
    expect(err).toContain(`remembers     ${exact}\nfor           30 days\n${where}form          1 of 2\n`);
    expect(questions).toEqual([
      `Type y and Enter to approve (${scope}) and remember this; a number of 1 to 2 shows that form; anything else answers nothing: `,
    ]);
    expect(err).toContain("wisp approvals granted says its id.\n");
    expect(openFace(home).receipt(request.id)).toMatchObject({ scope });
  });

  it("says with which command the rule that is left is taken back", async () => {
    const { home, request } = filed(every);
    const rules = new RememberedHome(home.path).open(systemClock);
    const { id } = await rules.remember(ruleDraft(systemClock.now(), { request: request.id }));
    const { terminal, ended } = startVerb(approve, [request.id, "--scope=always"], { home, columns: 200 });
    terminal.type("y");
    expect((await ended).err).toContain(`Take it back: WISP_HOME=${home.path} wisp approvals revoke ${id}\n`);
  });

  it("says of a rule that asks, or of a danger, why no wider yes is offered", async () => {
    const narrow: Overrides = { scopes: ["once", "session"], remember: null };
    const asked = { ...narrow, rule: "ask Bash(git push *) (policy.json:6)" };
    expect((await approving(["--scope=always"], [], asked)).err.replace(/\s+/g, " ")).toContain(
      "It offers once, session: that is how far a yes reaches under ask Bash(git push *) (policy.json:6), or for what it runs.",
    );
    expect((await approving(["--scope=session"], [], narrow)).exit).toBe(0);
  });

  it("shows of each form on the card what it would let through and what not, and takes the one that was named", async () => {
    const { exit, out, err, questions } = await approving(["--scope=always"], ["2", "1", "2", "y"]);
    expect(exit).toBe(0);
    expect(err).toContain(
      `form 1        ${exact}\nform 2        ${form}\nalso          git push origin dev\nbut not       git push --force\n`,
    );
    expect(questions).toHaveLength(4);
    expect(out).toContain(`remembered: ${form}\n`);
  });

  it.each([
    ["its number", "2"],
    ["its text", form],
  ])("shows first the form that --rule names by %s", async (_how, named) => {
    const { exit, out, err, questions } = await approving(["--scope=project", "--rule", named], ["y"]);
    expect([exit, questions.length]).toEqual([0, 1]);
    expect(err).toContain(`remembers     ${form}\nfor           30 days\nin            /home/p/api\nalso `);
    expect(out).toContain(`remembered: ${form}\n`);
  });

  it.each(["3", "0", "Bash(git push *)", ` ${form}`, ""])(
    "refuses the rule %j, which is not offered",
    async (rule) => {
      const { exit, out, err, home, questions } = await approving(["--scope=project", `--rule=${rule}`], []);
      expect([exit, out, questions.length, isWaiting(home)]).toEqual([2, "", 0, true]);
      expect(err).toContain(`does not offer this rule.\n  It offers: 1 ${exact}, 2 ${form}\n`);
      expect((await approving(["--scope=project", "--rule=1"], ["y"])).exit).toBe(0);
    },
  );

  it.each([[["--rule=1"]], [["--scope=session", "--rule=1"]]])(
    "refuses a rule where none is remembered: %j",
    async (words) => {
      const { exit, err, home } = await approving(words, []);
      expect([exit, isWaiting(home)]).toEqual([2, true]);
      expect(err).toContain("--rule goes with --scope project or --scope always.");
      expect((await approving(["--scope=session"], [])).exit).toBe(0);
    },
  );

  it.each(["", "n", "yes", "3", "0", null])("takes %j for no yes", async (typed) => {
    const { exit, out, home } = await approving(["--scope=always"], [typed]);
    expect([exit, out, isWaiting(home)]).toEqual([7, "", true]);
    expect((await approving(["--scope=always"], [" Y "])).exit).toBe(0);
  });

  it("names no other form where there is one", async () => {
    const { exit, questions, out } = await approving(["--scope=always"], ["y"], oneOffer(exact));
    expect([exit, questions]).toEqual([
      0,
      ["Type y and Enter to approve (always) and remember this; anything else answers nothing: "],
    ]);
    expect(out).toContain("approved (always, 1 day, terminal)");
    const { exit: other } = await approving(["--scope=always"], ["1"], oneOffer(exact));
    expect(other).toBe(7);
  });

  it.each([
    ["nothing to remember", { remember: null }],
    ["the session at most", { scopes: ["once", "session"] as const, remember: null }],
  ])("refuses a scope that is not offered, and names those that are: %s", async (_what, overrides) => {
    const { exit, err, home, request } = await approving(["--scope=project"], [], {
      ...overrides,
    } as Overrides);
    expect([exit, isWaiting(home)]).toEqual([2, true]);
    expect(err).toContain(
      `${request.id} does not offer the scope project.\n  It offers once, session: only one plain`,
    );
    expect((await approving(["--scope=session"], [], overrides as Overrides)).exit).toBe(0);
  });

  it.each(["project", "always"])("gives the session to what is dangerous, and says so: %s", async (scope) => {
    const grave: Overrides = { level: "dangerous", scopes: ["once", "session"], remember: null };
    const { exit, out, err, receipt, home } = await approving(["--scope", scope], ["main"], grave);
    expect(exit).toBe(0);
    expect(err).toContain(
      "Dangerous: remembered for the session at most, so this is a yes for the session.\n",
    );
    expect(out).toContain("approved (session, terminal): git push");
    expect(out).not.toContain("remembered");
    expect(receipt).toMatchObject({ scope: "session" });
    expect(isWaiting(home)).toBe(false);
  });

  it("writes down what was asked for", async () => {
    const { home, request } = filedOnly({ level: "dangerous", scopes: ["once", "session"] });
    const words = [request.id, "--scope=always", "--confirm=main", "--rule=1"];
    const { terminal, ended } = startVerb(approve, words, { home });
    expect(await answerIn(home, request)).toMatchObject({ scope: "session", downgradedFrom: "always" });
    terminal.interrupt();
    await ended;
  });

  it("refuses more where what is dangerous is not offered for the session either", async () => {
    const grave: Overrides = { level: "dangerous", scopes: ["once"], remember: null };
    const { exit, err, home } = await approving(["--scope=always", "--confirm=main"], [], grave);
    expect([exit, isWaiting(home)]).toEqual([2, true]);
    expect(err).toContain("It offers once: only one plain command");
    expect((await approving(["--scope=once", "--confirm=main"], [], grave)).exit).toBe(0);
  });

  it("says of a call of a tool which rule would remember it", async () => {
    const call: Overrides = { subject: toolSubject(), scopes: ["once"], remember: null };
    const { exit, err, home } = await approving(["--scope=always"], [], call);
    expect([exit, isWaiting(home)]).toEqual([2, true]);
    expect(err).toContain("write a rule in policy.json: mcp__files__write_file");
    const session = await approving(["--scope=session"], [], call);
    expect([session.exit, session.err]).toEqual([2, expect.stringContaining("the call itself changes")]);
    expect((await approving(["--scope=once"], ["y"], call)).exit).toBe(0);
  });

  it("remembers nothing of what is dangerous, whatever its request offers", async () => {
    const { exit, receipt, out } = await approving(["--scope=always", "--confirm=main"], [], {
      level: "dangerous",
    });
    expect([exit, receipt?.scope]).toEqual([0, "session"]);
    expect(out).not.toContain("remembered");
  });

  it("shows a rule escaped and behind our labels alone, whatever stands in it", async () => {
    const rule = "Bash(echo 'x\u202e\n)\nfor           1 day')";
    const { exit, err, out } = await approving(["--scope=project"], ["y"], oneOffer(rule));
    expect(exit).toBe(0);
    expect(err.match(/^for {11}.*$/gm)).toEqual(["for           1 day"]);
    expect(err).not.toContain("\u202e");
    expect(out.split("\n")).toHaveLength(3);
    expect(out).toContain("\\u{202e}");
  });

  it("gives an answer whose rule stood on the screen in full before the yes", async () => {
    const offers: readonly Offer[] = Array.from({ length: 5 }, (_, index) => ({
      rule: `Bash(git push ${"x".repeat(150)} ${index})`,
      matches: `git push ${index}`,
      misses: null,
    }));
    for (const [index, typed] of [
      ["0", ["y"]],
      ["3", ["4", "y"]],
      ["4", ["2", "5", "y"]],
    ] as const) {
      const { home, request } = filedOnly({ ...every, remember: { days: 30, offers: [...offers] } });
      const { terminal, ended } = startVerb(approve, [request.id, "--scope=project"], { home, columns: 80 });
      for (const line of typed) terminal.type(line);
      const { rule, scope } = await answerIn(home, request);
      terminal.interrupt();
      const { err } = await ended;
      const last = err.slice(err.lastIndexOf("remembers  "));
      const shown = last
        .slice(0, last.indexOf("\nfor  "))
        .split("\n")
        .map((row) => row.slice(14))
        .join("");
      expect([shown, scope]).toEqual([rule, "project"]);
      expect(rule).toBe(offers[Number(index)]?.rule);
    }
  });
});
