/**
 * Facts with the built programs: an agent proposes over stdio, a person keeps in a terminal of their own, and agents read
 * what is kept, in both eras, also where the one that asked has long gone.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished } from "vitest";
import { homeAt } from "../../src/broker/channel/home.js";
import { wispOn, wispProgram } from "../support/built.js";
import {
  callerOf,
  eras,
  type FactCaller,
  personAt,
  type TestEra,
  testCommand,
} from "../support/fact-server.js";
import { type Places, textOf } from "../support/mcp-server.js";
import { envelope } from "../support/modern-client.js";
import { test } from "../support/person.js";
import { startInPty } from "../support/pty.js";
import { type ServerProcess, startServer } from "../support/raw-client.js";
import { ownPlaces } from "../support/served.js";

const uri = "wisp://facts";

let places: Places;

beforeEach(() => {
  places = ownPlaces();
});

interface Agent extends FactCaller {
  readonly server: ServerProcess;
  /** Resolves once it hears of changes. */
  subscribes(): Promise<void>;
  /** How often it heard of one. */
  updates(): number;
  /** Its client goes away; resolves with how the server ended. */
  leaves(): Promise<unknown>;
}

/** A client of this era with a server of its own. */
async function startAgent(era: TestEra, directory = places.work): Promise<Agent> {
  const server = startServer([process.execPath, wispProgram, "mcp"], {
    directory,
    environment: { HOME: places.root, WISP_HOME: places.home },
  });
  onTestFinished(async () => {
    server.child.kill("SIGKILL");
    await server.ended;
    expect(server.strayLines).toEqual([]);
    expect(server.errors()).toBe("");
  });
  const { client, child, ended } = server;
  if (era === "2025") await client.initialize();
  const caller = callerOf(client, era);
  return {
    server,
    ...caller,
    async subscribes() {
      if (era === "2025") {
        await caller.ask("resources/subscribe", { uri });
        return;
      }
      client.request("subscriptions/listen", {
        notifications: { resourceSubscriptions: [uri] },
        _meta: envelope(),
      });
      await client.firstOf("notifications/subscriptions/acknowledged");
    },
    updates: () => client.allOf("notifications/resources/updated").length,
    leaves() {
      child.stdin?.end();
      return ended;
    },
  };
}

const patient = { timeout: 30_000 };

describe.each(eras)("in the %s era", (era) => {
  test("what an agent proposes and a person keeps is read by all here, who hear of it", async ({
    person,
  }) => {
    const asking = await startAgent(era);
    const listening = await startAgent(era);
    const elsewhere = await startAgent(era, places.root);
    for (const one of [listening, elsewhere]) await one.subscribes();
    const { structuredContent } = await asking.keep({ ...testCommand, source: "package.json" });
    const id = String(structuredContent?.request);
    expect(listening.updates()).toBe(0);
    await person.types(places.home, "facts", "keep", id);
    await expect.poll(listening.updates, patient).toBe(1);
    const facts = [{ ...testCommand, id, keptAt: expect.any(Number) }];
    expect((await listening.read()).structuredContent).toMatchObject({ facts, requests: [] });
    const told = (await asking.read()).structuredContent;
    expect(told).toMatchObject({ facts, requests: [{ request: id, standing: "kept" }] });
    expect((await asking.keep()).structuredContent?.outcome).toBe("approved");
    expect((await elsewhere.read()).structuredContent).toMatchObject({ facts: [], requests: [] });
    await personAt(places).facts.forget(id);
    await expect.poll(listening.updates, patient).toBe(2);
    expect((await listening.read()).structuredContent?.facts).toEqual([]);
    expect(elsewhere.updates()).toBe(0);
    for (const one of [asking, listening, elsewhere])
      expect(await one.leaves()).toEqual({ code: 0, signal: null });
  });

  test("what an agent proposes that exits at once waits, and is kept without its server", async ({
    person,
  }) => {
    const asking = await startAgent(era);
    const { structuredContent } = await asking.keep();
    expect(await asking.leaves()).toEqual({ code: 0, signal: null });
    const waiting = personAt(places).only();
    expect(waiting).toMatchObject({ id: structuredContent?.request, fact: testCommand });
    await person.types(places.home, "facts", "keep", waiting.id, "--scope", "global");
    const reading = await startAgent(era, places.root);
    expect((await reading.read()).structuredContent?.facts).toMatchObject([
      { ...testCommand, id: waiting.id },
    ]);
    expect(personAt(places).waiting()).toEqual([]);
  });

  test("what a person drops is refused with its date, in its thread, and everywhere where they say so", async ({
    person,
  }) => {
    const asking = await startAgent(era);
    const proposed = { ...testCommand, thread: "setup" };
    const drops = async (...flags: readonly string[]): Promise<void> => {
      const { request } = (await asking.keep({ ...proposed })).structuredContent ?? {};
      await person.types(places.home, "facts", "drop", String(request), ...flags);
    };
    await drops();
    const refused = { outcome: "refused", code: "fact_dropped", request: null };
    const result = await asking.keep(proposed);
    expect(result).toMatchObject({ isError: true, structuredContent: refused });
    expect(textOf(result)).toMatch(/dropped this on \d{4}-\d\d-\d\d, and it is not kept/);
    proposed.thread = "docs";
    await drops("--for-good");
    const everywhere = await asking.keep({ ...testCommand, thread: "release" });
    expect(everywhere.structuredContent).toMatchObject(refused);
    expect(textOf(everywhere)).toContain(", for good,");
    expect((await asking.read()).structuredContent).toMatchObject({
      facts: [],
      requests: [{ standing: "dropped" }, { standing: "dropped" }],
    });
    const other = await asking.keep({ ...testCommand, value: "make test" });
    await person.types(places.home, "facts", "keep", String(other.structuredContent?.request));
    expect((await asking.read()).structuredContent?.facts).toMatchObject([{ value: "make test" }]);
    expect(await asking.leaves()).toEqual({ code: 0, signal: null });
  });

  test("what was altered or has vanished since is not kept, though its server lives, and is asked anew", async ({
    person: _,
  }) => {
    const asking = await startAgent(era);
    const proposes = async () => String((await asking.keep()).structuredContent?.request);
    const fileOf = (id: string) => join(places.home, "pending", `${id}.fact.json`);
    const keeps = async (id: string): Promise<boolean> => {
      const pty = startInPty(wispOn(homeAt(places.home, false), "facts", "keep", id), { isApart: true });
      return (await pty.ended) === 0;
    };
    const altered = await proposes();
    writeFileSync(fileOf(altered), readFileSync(fileOf(altered), "utf8").replace("npm test", "rm -rf /"));
    expect(await keeps(altered)).toBe(false);
    await expect.poll(proposes, patient).not.toBe(altered);
    const vanished = await proposes();
    rmSync(fileOf(vanished));
    expect(await keeps(vanished)).toBe(false);
    await expect.poll(proposes, patient).not.toBe(vanished);
    expect((await asking.read()).structuredContent?.facts).toEqual([]);
    const id = await proposes();
    expect(await keeps(id)).toBe(true);
    expect((await asking.read()).structuredContent?.facts).toMatchObject([{ ...testCommand, id }]);
    expect(await asking.leaves()).toEqual({ code: 0, signal: null });
  });
});

describe("a server of which nothing was asked", () => {
  test.for(eras)(
    "leaves no file in the %s era, whatever was read and watched, and ends with its input",
    async (era) => {
      const before = readdirSync(places.root);
      const agent = await startAgent(era);
      for (const method of ["tools/list", "resources/list", "resources/templates/list"])
        await agent.ask(method);
      await agent.subscribes();
      expect((await agent.ask("resources/read", { uri })).error).toBeUndefined();
      expect((await agent.read()).structuredContent?.facts).toEqual([]);
      expect(await agent.leaves()).toEqual({ code: 0, signal: null });
      expect(readdirSync(places.root)).toEqual(before);
    },
  );
});
