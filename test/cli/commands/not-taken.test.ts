/** A yes that its server does not take because of who gave it: what the person reads, and what they do then. */
import { describe, expect, it } from "vitest";
import { type Shortfall, shortfalls } from "../../../src/broker/request/assurance.js";
import { approve } from "../../../src/cli/commands/approve.js";
import { deny } from "../../../src/cli/commands/deny.js";
import { overview } from "../../../src/cli/commands/overview.js";
import { pending } from "../../../src/cli/commands/pending.js";
import { show } from "../../../src/cli/commands/show.js";
import { fakeTerminal } from "../../support/fake-terminal.js";
import { filed, isWaiting, type Overrides } from "../../support/filed.js";
import { startOn, startVerb } from "../../support/run-verb.js";
import { watchedWitness } from "../../support/witness-contract.js";
import { finds, takesAll } from "../../support/witnesses.js";

/** A request whose server finds every answer wanting, in this way, until it is told to take them. */
function strict(shortfall: Shortfall, overrides: Overrides = {}) {
  const watched = watchedWitness();
  watched.finds = finds(shortfall);
  const waiting = filed(overrides, [], watched.witness);
  const line = `WISP_HOME=${waiting.home.path} wisp approvals approve ${waiting.request.id}`;
  return { ...waiting, watched, line };
}

/** What stands on standard error below the card. */
function complaintIn(err: string): readonly string[] {
  return err.slice(err.indexOf("wisp: ")).trimEnd().split("\n");
}

describe("a yes that is not taken", () => {
  it.each<[Shortfall, string, string]>([
    [
      "within_client",
      "wisp: Not taken: this command was started from within test-client, the client that asks, or another agent's client.",
      "  Open a terminal outside of it and run: ",
    ],
    [
      "terminal_held",
      "wisp: Not taken: a process of test-client, the client that asks, or of another agent's client, holds the other end of this terminal.",
      "  Open a terminal outside of it and run: ",
    ],
    [
      "no_terminal",
      "wisp: Not taken: standard input is not the terminal that controls this command.",
      "  Open a terminal, and in its shell run: ",
    ],
    [
      "process_unseen",
      `wisp: Not taken: the server (process ${process.pid}) cannot look at this command.`,
      "  Open a terminal where the server runs, under its account, and run: ",
    ],
    [
      "process_gone",
      `wisp: Not taken: the server (process ${process.pid}) found no living process behind this answer.`,
      "  Run it again and leave it running: ",
    ],
  ])("for %s says what, why and what to do, and the request still waits", async (shortfall, what, fix) => {
    const { home, request, watched, line } = strict(shortfall);
    const { exit, out, err } = await startVerb(approve, [request.id], { home }).ended;
    expect([exit, out]).toEqual([10, ""]);
    expect(complaintIn(err)).toEqual([what, expect.stringMatching(/^ {2}[A-Z].*\.$/), `${fix}${line}`]);
    expect(isWaiting(home)).toBe(true);
    watched.finds = takesAll;
    expect((await startVerb(approve, [request.id], { home }).ended).exit).toBe(0);
  });

  it.each(shortfalls)("for %s does not keep the same person from a no", async (shortfall) => {
    const { home, request } = strict(shortfall);
    expect((await startVerb(approve, [request.id], { home }).ended).exit).toBe(10);
    const { exit, out } = await startVerb(deny, [request.id], { home, columns: 120 }).ended;
    expect([exit, out]).toEqual([
      0,
      "denied (file, from within a client's own processes): git push origin main — for test-client\n",
    ]);
  });

  it("names the client by what it calls itself, safe to print, and one without a name as who asks", async () => {
    const named = strict("within_client", { client: { name: "evil\u001b[2J\nnot me", version: "1" } });
    const { terminal, ended } = startVerb(approve, [named.request.id], { home: named.home });
    // An escaped character is asked about.
    terminal.type("y");
    expect(complaintIn((await ended).err)[0]).toContain(
      "from within evil\\u{1b}[2J\\u{a}not me, the client that asks",
    );
    const unnamed = strict("within_client", { client: null });
    const { err } = await startVerb(approve, [unnamed.request.id], { home: unnamed.home }).ended;
    expect(complaintIn(err)[0]).toContain("from within the client that asks, or another");
  });

  it("stands as not enough on every card and in the list, until the request has ended", async () => {
    const { home, request, watched } = strict("no_terminal");
    const why = "standard input was not the controlling terminal";
    const list = async (): Promise<string> =>
      (await startVerb(pending, [], { home, columns: 200 }).ended).err;
    const card = async (): Promise<string> => (await startVerb(show, [request.id], { home }).ended).out;
    expect([await list(), await card()].join()).not.toContain("not enough:");
    await startVerb(approve, [request.id], { home }).ended;
    expect(await list()).toContain(`1 answer was not enough: ${request.id} (${why})\n`);
    expect(await card()).toMatch(
      /^answers {7}1 answer was not enough: standard input was not the controlling/m,
    );
    watched.finds = finds("within_client");
    for (let given = 0; given < 2; given += 1) await startVerb(approve, [request.id], { home }).ended;
    const both = `${why}; 2 × from within a client's own processes`;
    expect(await list()).toContain(`3 answers were not enough: ${request.id} (${both})\n`);
    expect((await startOn(fakeTerminal({ home }), overview).ended).err).toContain(
      "3 answers were not enough: ",
    );
    watched.finds = takesAll;
    const { err, exit } = await startVerb(approve, [request.id], { home }).ended;
    expect(err).toContain("3 answers were not enough: ");
    expect([exit, await list()]).toEqual([0, "Nothing waits.\n"]);
  });

  it("counts on the card from the fifth, for then something is writing answers", async () => {
    const { home, request, watched } = strict("no_terminal");
    const tellsOfWriting = async (): Promise<boolean> => {
      const { err } = await startVerb(approve, [request.id], { home }).ended;
      return err.includes("something is writing answers: 5 to this request were not taken");
    };
    for (let given = 1; given <= 5; given += 1) expect(await tellsOfWriting()).toBe(false);
    watched.finds = takesAll;
    expect(await tellsOfWriting()).toBe(true);
    expect(isWaiting(home)).toBe(false);
  });
});
