import { join } from "node:path";
import { expect, test } from "vitest";
import { openFactStore } from "../../src/broker/facts/store.js";
import { rootSecretOf } from "../../src/broker/identity/root-secret.js";
import { systemClock } from "../../src/broker/system/clock.js";
import { keptFact } from "../support/facts.js";
import { tempDirectory } from "../support/temp-home.js";
import { startWorker } from "../support/workers.js";

const processes = 6;
const rounds = 20;

test("of six processes that keep or forget one fact at one instant exactly one does, and it is one file", async () => {
  const path = join(tempDirectory(), "home");
  const workers = Array.from({ length: processes }, () => startWorker("fact-keeper", path, {}, null));
  // Each message is waited for by itself.
  for (const { child } of workers) child.setMaxListeners(0);
  await Promise.all(workers.map((worker) => worker.told("ready")));
  const place = { path, ensureHome: () => path, clock: systemClock };
  const facts = openFactStore({ ...place, keys: rootSecretOf(place) });
  for (let round = 0; round < rounds; round += 1) {
    const fact = keptFact({ scope: round % 2 === 0 ? "project" : "global" });
    for (const verb of ["keep", "forget"] as const) {
      const at = Date.now() + 20;
      const name = `${verb} ${round}`;
      for (const { child } of workers) child.send({ round: name, verb, fact, at });
      const did = await Promise.all(workers.map((worker) => worker.told<boolean>(`round ${name}`)));
      expect(did.filter((isOne) => isOne)).toHaveLength(1);
      const { kept, unreadable } = facts.list();
      expect([kept, unreadable]).toEqual([verb === "keep" ? [fact] : [], 0]);
    }
    expect(await facts.keep(fact)).toBe(false);
  }
}, 300_000);
