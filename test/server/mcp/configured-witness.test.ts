/** What `config.json` changes on the wire, and what a broken one leaves. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serverRecords } from "../../../src/broker/channel/found-servers.js";
import { homeAt } from "../../../src/broker/channel/home.js";
import type { WitnessOptions } from "../../../src/broker/identity/witness.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import {
  connectInMemory,
  printing,
  startInMemory,
  waitingProgress,
  withProgress,
} from "../../support/mcp-server.js";
import { takesAll } from "../../support/witnesses.js";

describe("what looks at the process that answers", () => {
  async function witnessFor(name: string, config: object): Promise<WitnessOptions> {
    const made: WitnessOptions[] = [];
    const createWitness = (options: WitnessOptions) => {
      made.push(options);
      return takesAll;
    };
    const server = await startInMemory({ config, createWitness });
    await server.client.initialize({ name });
    const call = server.client.call("run_command", printing, withProgress);
    await waitingProgress(server.client);
    server.face.approve(server.face.only());
    await server.client.resultOf(call);
    const [options, ...more] = made;
    if (options === undefined || more.length > 0) throw new Error(`${made.length} witnesses were made.`);
    return options;
  }

  test("knows the client, and refuses within those that give their agent a shell", async () => {
    const { own, client, isRefusedWithin } = await witnessFor("claude-code", {});
    expect([own.pid, client()]).toEqual([process.pid, "claude-code"]);
    expect(["claude-code", "a-harness", null].map(isRefusedWithin)).toEqual([true, false, false]);
  });

  test("refuses as the configuration says", async () => {
    const never = await witnessFor("x", { approval: { ancestry: "never" } });
    const always = await witnessFor("x", { approval: { ancestry: "always" } });
    const broken = await witnessFor("x", { approval: { ancestry: "sometimes" } });
    expect([never, always, broken].map(({ isRefusedWithin }) => isRefusedWithin("claude-code"))).toEqual([
      false,
      true,
      true,
    ]);
    expect(broken.isRefusedWithin(null)).toBe(true);
  });

  test("hears of other servers that live, with who their client is", async () => {
    const server = await connectInMemory({ name: "first" });
    server.client.call("run_command", printing, withProgress);
    await waitingProgress(server.client);
    const made: WitnessOptions[] = [];
    const createWitness = (options: WitnessOptions) => {
      made.push(options);
      return takesAll;
    };
    const second = await connectInMemory(
      { name: "second" },
      { environment: { WISP_HOME: server.home }, createWitness },
    );
    second.client.call("run_command", { argv: ["printf", "b"] }, withProgress);
    await waitingProgress(second.client);
    const names = (): readonly unknown[] =>
      (made[0]?.others().servers ?? []).map(({ client }) => client).toSorted();
    expect(names()).toEqual(["first", "second"]);
    // A process of this number and another start is not the one that wrote this.
    const dead = {
      ...(made[0]?.own ?? {}),
      v: 1,
      instance: "deaddeaddeaddead",
      startedAt: "0",
      parent: null,
    };
    const record = {
      ...dead,
      client: { name: "dead", version: "1" },
      home: server.home,
      waiting: [],
      detached: [],
    };
    const path = join(server.home, "servers", `${dead.instance}.json`);
    writeFileSync(path, JSON.stringify(record), { mode: 0o600 });
    const { servers } = serverRecords(homeAt(server.home, false), systemClock)();
    expect(servers.map(({ record: { client } }) => client?.name)).toContain("dead");
    expect(names()).toEqual(["first", "second"]);
    await server.leave();
    await server.settled();
    expect(names()).toEqual(["second"]);
  });
});
