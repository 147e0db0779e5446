import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { heartbeatMs } from "../../../src/broker/channel/server-record.js";
import type { WitnessOptions } from "../../../src/broker/identity/witness.js";
import { callersOf } from "../../../src/server/mcp/callers.js";
import { FakeClock } from "../../support/fake-clock.js";
import { startInMemory, waitingProgress } from "../../support/mcp-server.js";
import { takesAll } from "../../support/witnesses.js";

const named = (name: string) => ({ name, version: "1" });

describe("of the names on one connection", () => {
  test("the first that refuses is the one that counts, else the first", () => {
    const names = fc.array(
      fc.option(fc.constantFrom("gateway", "harness", "claude-code", "codex"), { nil: null }),
      {
        minLength: 1,
      },
    );
    const isRefused = (name: string | null) => name === "claude-code" || name === "codex";
    fc.assert(
      fc.property(names, (said) => {
        const [first = null, ...rest] = said;
        const callers = callersOf(first === null ? null : named(first), isRefused);
        for (const name of rest) callers.hear(name === null ? null : named(name));
        expect(callers.chosen()?.name ?? null).toBe(said.find(isRefused) ?? first);
      }),
    );
  });
});

describe("a client that gives its agent a shell", () => {
  const envelope = (name: string) => ({
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": named(name),
    "io.modelcontextprotocol/clientCapabilities": {},
  });

  test.each(["2025", "2026"])(
    "is heard behind one that called first, by the server and by others, and stays heard (%s)",
    async (era) => {
      const made: WitnessOptions[] = [];
      const clock = new FakeClock();
      const { client, face, home } = await startInMemory({
        clock,
        createWitness(options) {
          made.push(options);
          return takesAll;
        },
      });
      const call = async (name: string): Promise<void> => {
        if (era === "2025") await client.initialize({ name });
        const meta = { progressToken: name, ...(era === "2025" ? {} : envelope(name)) };
        const id = client.call("run_command", { argv: ["printf", name] }, meta);
        await waitingProgress(client, name);
        face.deny(face.only());
        await client.resultOf(id);
      };
      const recorded = (): unknown => {
        clock.advance(heartbeatMs);
        const [file = ""] = readdirSync(join(home, "servers"));
        return (JSON.parse(readFileSync(join(home, "servers", file), "utf8")) as { client: unknown }).client;
      };
      await call("gateway");
      expect([made[0]?.client(), recorded()]).toMatchObject(["gateway", { name: "gateway" }]);
      await call("claude-code");
      expect([made[0]?.client(), recorded()]).toMatchObject(["claude-code", { name: "claude-code" }]);
      await call("harness");
      expect([made[0]?.client(), recorded()]).toMatchObject(["claude-code", { name: "claude-code" }]);
      expect(made).toHaveLength(1);
    },
  );
});
