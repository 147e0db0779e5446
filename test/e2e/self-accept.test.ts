/** What an agent's shell can do to accept what it wrote itself, or to set it, with the built programs: each route runs below its client. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sealedPath } from "../../src/broker/files/sealed.js";
import { type Agent, inPythonTerminal, needs, startAgent } from "../support/agent.js";
import { wispProgram } from "../support/built.js";
import { connectInMemory, waitingProgress } from "../support/mcp-server.js";
import { startInPty } from "../support/pty.js";

const line = `${process.execPath} ${wispProgram} accept`;
const setting = `${process.execPath} ${wispProgram} config set approval.threshold dangerous`;

/** The same call, of a server that was started now: it asks. */
async function asksStill({ home, work }: Pick<Agent, "home" | "work">): Promise<void> {
  const { client } = await connectInMemory({}, { environment: { WISP_HOME: home } });
  client.call("run_command", { argv: ["printf", "%s", "again"], directory: work }, { progressToken: "p" });
  await waitingProgress(client);
}

const routes: readonly (readonly [string, readonly string[], (accept: string) => string, number])[] = [
  ["a pipe", [], (accept) => `printf 'accept\\n' | ${accept}`, 4],
  ["a here-document", [], (accept) => `${accept} <<END\naccept\nEND`, 4],
  ["the client's own terminal", [], (accept) => `${accept} </dev/tty 2>/dev/tty`, 10],
  ["script", ["script"], (accept) => `script -qec "${accept}" /dev/null`, 10],
  ["a terminal that python makes", [], inPythonTerminal, 10],
  [
    "script in a session of its own",
    ["script", "setsid"],
    (accept) => `setsid -w script -qec "${accept}" /dev/null`,
    10,
  ],
];

describe("an agent of a client that gives it a shell", () => {
  it.for(routes)(
    "can neither accept nor set through %s, and is asked; a person outside of it accepts",
    async ([, programs, route, exit], { skip }) => {
      needs(programs, { skip });
      const agent = await startAgent("claude-code");
      writeFileSync(join(agent.home, "policy.json"), '{"permissions":{"allow":["Bash"]}}', { mode: 0o600 });
      expect((await agent.runs(route(line))).exit).toBe(exit);
      expect((await agent.runs(route(setting))).exit).toBe(exit);
      for (const name of ["policy.json", "config.json"] as const) {
        expect(existsSync(sealedPath(agent.home, name))).toBe(false);
      }
      expect(existsSync(join(agent.home, "config.json"))).toBe(false);
      await asksStill(agent);
      const person = startInPty([process.execPath, wispProgram, "accept"], {
        isApart: true,
        directory: agent.work,
        environment: { PATH: process.env.PATH, HOME: agent.root, WISP_HOME: agent.home },
      });
      await person.seen("LOOSER");
      await person.seen('Type "accept"');
      person.type("accept\n");
      expect(await person.ended).toBe(0);
      expect(person.output()).toContain("accepted: policy.json (1 looser)");
      expect(existsSync(sealedPath(agent.home, "policy.json"))).toBe(true);
    },
  );

  it("cannot point accept elsewhere: another home's files are accepted there, and nothing here", async () => {
    const agent = await startAgent("claude-code");
    writeFileSync(join(agent.home, "policy.json"), '{"permissions":{"allow":["Bash"]}}', { mode: 0o600 });
    const elsewhere = join(agent.root, "elsewhere");
    const stricter = `${process.execPath} ${wispProgram} config set approval.timeoutSeconds 30`;
    for (const one of [line, stricter]) await agent.runs(`WISP_HOME=${elsewhere} ${inPythonTerminal(one)}`);
    for (const name of ["policy.json", "config.json"] as const) {
      expect(existsSync(sealedPath(agent.home, name))).toBe(false);
    }
    await asksStill(agent);
  });
});
