/** What a server that is asked all day clears away of what earlier calls left behind. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openConsumedStates } from "../../../src/broker/grants/consumed.js";
import { FakeClock } from "../../support/fake-clock.js";
import { yesTo } from "../../support/grants.js";
import { GrantsHome } from "../../support/grants-home.js";
import { lateRequest } from "../../support/late-contract.js";
import { connectInMemory, type MemoryServer, waitingProgress } from "../../support/mcp-server.js";

const day = 86_400_000;

/** What lies in the home: an approval, a late request and a used state, as they were left `agoMs` before. */
async function leave({ home }: MemoryServer, agoMs: number): Promise<void> {
  const past = new GrantsHome(home);
  past.clock.jumpWallClock(-agoMs);
  await past.open({ ttlSeconds: 86_400 }).keep(yesTo());
  await past.openLate().file(lateRequest(), true);
  const nonce = `${agoMs}`.padStart(32, "0");
  await openConsumedStates(past.options()).consume(nonce, 1_000);
}

function lying({ home }: MemoryServer): readonly number[] {
  const grants = readdirSync(join(home, "grants")).filter((name) => name.endsWith(".json"));
  const late = readdirSync(join(home, "late"));
  return [grants.length, late.length, readdirSync(join(home, "keys", "consumed")).length];
}

async function ask({ client }: MemoryServer, what: string): Promise<void> {
  client.call("run_command", { argv: ["printf", what] }, { progressToken: what });
  await waitingProgress(client, what);
}

test("what has expired is gone after a later ask, some minutes on, and what has not stays", async () => {
  const clock = new FakeClock();
  const server = await connectInMemory({}, { clock, config: { approval: { timeoutSeconds: 0 } } });
  await ask(server, "first");
  expect(existsSync(join(server.home, "late"))).toBe(false);
  await leave(server, 10 * day);
  await leave(server, 0);
  expect(lying(server)).toEqual([2, 2, 2]);
  await ask(server, "soon");
  expect(lying(server)).toEqual([2, 2, 2]);
  clock.advance(600_000);
  await ask(server, "later");
  expect(lying(server)).toEqual([1, 1, 1]);
});
