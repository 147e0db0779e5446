/**
 * What an agent's shell can do to answer its own agent's request, with the built programs: the client is a process of
 * its own that a shell in a terminal started, as a person starts it, and each route runs below that client.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect } from "vitest";
import { typedWord } from "../../src/broker/approval/typed-word.js";
import { approving, inPythonTerminal, namesIn, needs, startAgent } from "../support/agent.js";
import { test } from "../support/person.js";
import { typists } from "../support/typists.js";

const endsGrandparent = fileURLToPath(new URL("workers/ends-grandparent.cjs", import.meta.url));
const noTerminal = 4;
const notEnough = 10;

type Route = readonly [
  name: string,
  programs: readonly string[],
  line: (approve: string) => string,
  exit: number,
  reason: string | null,
];

const within = "assurance_insufficient: within_client";

const routes: readonly Route[] = [
  ["a pipe", [], (approve) => `printf 'y\\ny\\n' | ${approve}`, noTerminal, null],
  ["a here-document", [], (approve) => `${approve} <<END\ny\nEND`, noTerminal, null],
  ["the client's own terminal", [], (approve) => `${approve} </dev/tty 2>/dev/tty`, notEnough, within],
  ["script", ["script"], (approve) => `script -qec "${approve}" /dev/null`, notEnough, within],
  ["a terminal that python makes", [], inPythonTerminal, notEnough, within],
  [
    "script in a session of its own",
    ["script", "setsid"],
    (approve) => `setsid -w script -qec "${approve}" /dev/null`,
    notEnough,
    within,
  ],
];

describe("an agent of a client that gives it a shell", () => {
  test.for(routes)(
    "cannot approve its own call through %s; it waits for a person, who can",
    async ([, programs, line, exit, reason], { person, skip }) => {
      needs(programs, { skip });
      const agent = await startAgent("claude-code");
      const ran = await agent.runs(line(approving(agent.request)));
      expect(ran).toMatchObject({ exit, out: expect.stringContaining(agent.request.id) });
      expect(agent.answers("answer.refused").map(({ details }) => details.reason)).toEqual(
        reason === null ? [] : [reason],
      );
      expect(agent.face.only()).toEqual(agent.request);
      await person.approves(agent.home, agent.request);
      const { structuredContent } = await agent.result;
      expect(structuredContent).toMatchObject({ outcome: "approved", stdout: "once", assurance: "terminal" });
      expect(agent.face.receiptOf(agent.request.id)).toMatchObject({
        verified: { terminal: true, ancestry: true },
      });
    },
  );

  test.for(typists)(
    "cannot have the word of a dangerous call typed in a terminal by %s; a person's counts",
    async ([program, script], { person, skip }) => {
      needs([program], { skip });
      const agent = await startAgent("claude-code", { call: { argv: ["rm", "-f", "nothing"] } });
      writeFileSync(join(agent.work, "typist"), script);
      const word = typedWord(agent.request.subject);
      const ran = await agent.runs(
        `${program} typist ${word} "Enter to approve" sh -c "${approving(agent.request)}"`,
      );
      expect(ran).toMatchObject({
        exit: notEnough,
        out: expect.stringContaining(`Type "${word}" and Enter`),
      });
      expect(agent.answers("answer.refused").map(({ details }) => details.reason)).toEqual([within]);
      await person.approves(agent.home, agent.request);
      expect((await agent.result).structuredContent).toMatchObject({ outcome: "approved", exitCode: 0 });
    },
  );

  test("cannot leave its client behind in a terminal that the client's processes hold", async ({
    person,
    skip,
  }) => {
    skip(process.platform !== "linux", "only Linux tells who holds a terminal");
    const agent = await startAgent("claude-code");
    const done = join(agent.work, "done");
    // Its parent ends at once: whoever takes in orphans is its parent then.
    const orphan = `( ( ${approving(agent.request)} </dev/tty; echo \\$? >${done} ) & )`;
    const ran = await agent.runs(
      `${inPythonTerminal(`${orphan}; until [ -s ${done} ]; do sleep 0.1; done`)}; exit $(cat ${done})`,
    );
    expect(ran).toMatchObject({ exit: notEnough, out: expect.stringContaining("holds the other end") });
    expect(agent.answers("answer.refused")).toMatchObject([
      {
        details: { reason: "assurance_insufficient: terminal_held" },
        verified: { within: null, masterHolder: { name: expect.stringMatching(/^python/) } },
      },
    ]);
    await person.approves(agent.home, agent.request);
    expect((await agent.result).structuredContent).toMatchObject({ outcome: "approved", stdout: "once" });
  });

  test("cannot cut its client off by ending the wrapper that started the server", async ({
    person,
    skip,
  }) => {
    needs(["script"], { skip });
    // The outer one stays, because a client of node's lets go of a server whose process it started has ended.
    const inner = `sh -c 'echo $$ >wrapper; "$@"; exit $?' sh "$@"`;
    const agent = await startAgent("claude-code", {
      wrapper: ["sh", "-c", `${inner}; exec sleep 600 >&- 2>&-`, "sh"],
      before: `kill -9 $(cat wrapper)`,
    });
    const ran = await agent.runs(`script -qec "${approving(agent.request)}" /dev/null`);
    expect(ran).toMatchObject({ exit: notEnough });
    expect(agent.answers("answer.refused").map(({ details }) => details.reason)).toEqual([within]);
    await person.approves(agent.home, agent.request);
    expect((await agent.result).structuredContent).toMatchObject({ outcome: "approved", stdout: "once" });
  });

  test("cannot cut it off before the server knows it: then nobody's yes is enough, and a no is", async ({
    person,
    skip,
  }) => {
    skip(process.platform !== "linux", "only Linux tells who leads a session");
    const wrapped = ["sh", "-c", '"$@"; exit $?', "sh"];
    const agent = await startAgent("claude-code", {
      wrapper: [
        ...["sh", "-c", '"$@"; exec sleep 600 >&- 2>&-', "sh", ...wrapped, ...wrapped],
        ...["env", `NODE_OPTIONS=--require=${endsGrandparent}`],
      ],
    });
    const ran = await agent.runs(inPythonTerminal(approving(agent.request)));
    expect(ran).toMatchObject({
      exit: notEnough,
      out: expect.stringContaining("cannot look at this command"),
    });
    await expect(person.approves(agent.home, agent.request)).rejects.toThrow("cannot look at this command");
    const fault = "a process between this server and the shell of its terminal has ended";
    expect(agent.answers("answer.refused").map(({ verified }) => verified.fault)).toEqual([fault, fault]);
    await person.denies(agent.home, agent.request, "start it again");
    expect((await agent.result).structuredContent).toMatchObject({ outcome: "denied" });
  });
});

describe("whoever starts a server by a program that is not known to give an agent a shell", () => {
  test("may answer in a terminal of their own making, and receipt and log say where that was", async ({
    person: _person,
  }) => {
    const agent = await startAgent("harness");
    const ran = await agent.runs(inPythonTerminal(approving(agent.request)));
    expect(ran).toMatchObject({ exit: 0 });
    expect((await agent.result).structuredContent).toMatchObject({ outcome: "approved", stdout: "once" });
    expect(agent.face.receiptOf(agent.request.id)?.verified).toEqual({
      terminal: true,
      ancestry: false,
      signed: null,
    });
    const [answered] = agent.answers("approval.answered");
    expect(answered?.verified).toMatchObject({ within: "harness" });
    const { client, ancestors } = answered?.verified ?? {};
    expect(ancestors).toEqual(expect.arrayContaining([...(client as readonly unknown[])]));
    expect(namesIn(ancestors)).toContain("sh");
  });
});
