/** What of `config.json` says how much is asked about, and for how long a yes is remembered. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { judgeHere } from "../../../src/cli/policy/judge-here.js";
import { writeConfig } from "../../support/config-files.js";
import { FakeClock } from "../../support/fake-clock.js";
import { fakeTerminal } from "../../support/fake-terminal.js";
import {
  connectInMemory,
  type MemoryServer,
  printing,
  textOf,
  waitingProgress,
} from "../../support/mcp-server.js";
import type { ToolResult } from "../../support/raw-client.js";

async function run(server: MemoryServer, args: Record<string, unknown>): Promise<ToolResult> {
  return server.client.resultOf(server.client.call("run_command", args));
}

/** Asked about; a person says yes with these words. */
async function asked(server: MemoryServer, args: Record<string, unknown>, words = {}) {
  const token = `p${Math.random()}`;
  const call = server.client.call("run_command", args, { progressToken: token });
  await waitingProgress(server.client, token);
  const request = server.face.only();
  server.face.approve(request, words);
  return { request, result: await server.client.resultOf(call) };
}

describe("approval.threshold", () => {
  const removing = { argv: ["rm", "-rf", "nothing"] };

  test("lets what lies below it run without asking, in a server and for `policy check`; what is dangerous asks", async () => {
    const server = await connectInMemory({}, { config: { approval: { threshold: "dangerous" } } });
    expect((await run(server, printing)).structuredContent).toMatchObject({ via: "policy", stdout: "once" });
    const { request } = await asked(server, removing);
    expect(request).toMatchObject({ level: "dangerous" });
    const needed = { PATH: process.env.PATH ?? "", HOME: server.work };
    const terminal = fakeTerminal({ environment: { ...needed, WISP_HOME: server.home } });
    const verdictOn = (argv: readonly string[]) =>
      judgeHere(
        {
          kind: "command",
          argv,
          line: argv.join(" "),
          directory: server.work,
          program: null,
          programIdentity: null,
          isProgramOpen: false,
        },
        terminal,
      );
    expect(verdictOn(printing.argv)).toMatchObject({ name: "allow", rule: { list: "threshold" } });
    expect(verdictOn(removing.argv)).toMatchObject({ name: "ask" });
  });

  test("that nobody accepted lets nothing run without asking, and a lower one asks about the rest at once", async () => {
    const server = await connectInMemory({}, { config: {} });
    writeConfig(server.home, { approval: { threshold: "dangerous" } });
    const { request } = await asked(server, printing);
    expect(request.reasons).toContain(
      `config.json: approval.threshold waits for: WISP_HOME=${server.home} wisp accept`,
    );
    const other = await connectInMemory({}, { config: { approval: { threshold: "dangerous" } } });
    expect((await run(other, printing)).structuredContent).toMatchObject({ via: "policy" });
    writeConfig(other.home, { approval: { threshold: "low" } });
    expect((await asked(other, printing)).result.structuredContent).toMatchObject({ outcome: "approved" });
  });
});

describe("approval.persistDays", () => {
  const dayMs = 24 * 3_600_000;

  /** Another server of the same home, so much later; faces see its requests. */
  async function startedAfter(server: MemoryServer, ms: number): Promise<MemoryServer> {
    const clock = new FakeClock();
    clock.advance(ms);
    const next = await connectInMemory({}, { clock, environment: { WISP_HOME: server.home } });
    return { ...next, face: server.face };
  }

  test("is offered, told and written, and the rule is over when so many days are", async () => {
    const clock = new FakeClock();
    const server = await connectInMemory({}, { clock, config: { approval: { persistDays: 7 } } });
    const call = { ...printing, directory: server.work };
    const { request, result } = await asked(server, call, { scope: "project" });
    expect(request.remember).toMatchObject({ days: 7 });
    const until = new Date(clock.now() + 7 * dayMs).toISOString().slice(0, 10);
    expect(textOf(result)).toContain(
      `Until ${until} rule Bash(printf %s once) lets the same run in this directory without asking`,
    );
    const [kept] = JSON.parse(readFileSync(join(server.home, "remembered.json"), "utf8")).permissions
      .remembered;
    expect(kept.expiresAt - kept.createdAt).toBe(7 * dayMs);
    const before = await startedAfter(server, 7 * dayMs - 1_000);
    expect((await run(before, call)).structuredContent).toMatchObject({ scope: "project" });
    const again = await asked(await startedAfter(server, 7 * dayMs), call);
    expect(again.request.reasons.join()).toContain("a remembered rule does not fit: it has expired");
  });

  test("that is made shorter ends what was remembered for longer, and a longer one lets it count on", async () => {
    const server = await connectInMemory({}, { clock: new FakeClock(), config: {} });
    const call = { ...printing, directory: server.work };
    await asked(server, call, { scope: "project" });
    const later = await startedAfter(server, 7 * dayMs);
    writeConfig(server.home, { approval: { persistDays: 7 } });
    const again = await asked(later, call);
    expect(again.request.reasons.join()).toContain("a remembered rule does not fit: it has expired");
    writeConfig(server.home, { approval: { persistDays: 8 } });
    expect((await run(later, call)).structuredContent).toMatchObject({ scope: "project" });
  });
});
