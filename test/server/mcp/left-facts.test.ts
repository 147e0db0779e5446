/** What a server carries out of what was decided while another server, which asked, was gone. */

import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ensureHome, homeAt } from "../../../src/broker/channel/home.js";
import type { Answer } from "../../../src/broker/request/answer.js";
import { answerHash, composeRequest } from "../../../src/broker/request/binding.js";
import { type FactRequest, requestFileName } from "../../../src/broker/request/request.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { auditLogAt } from "../../support/audit-logs.js";
import { answerTo, filingFacts } from "../../support/builders.js";
import { factServer } from "../../support/fact-server.js";
import { factDraft } from "../../support/request-kinds.js";
import { sketched } from "../../support/sketched.js";
import { openFace } from "../../support/temp-home.js";

/** A server whose first ask sweeps a home in which `given` stands as the answer of a process that is gone. */
async function swept(given: Partial<Answer>, isRecorded: boolean) {
  const server = await factServer("2025");
  const home = homeAt(server.home, false);
  ensureHome(home, systemClock);
  mkdirSync(home.pending, { mode: 0o700 });
  const now = systemClock.now();
  const draft = factDraft({ expiresAt: now + 86_400_000 });
  const request = composeRequest(draft, filingFacts({ createdAt: now - 60_000 })) as FactRequest;
  writeFileSync(join(home.pending, requestFileName(request)), JSON.stringify(request), { mode: 0o600 });
  const answer = answerTo(request, { scope: null, ...given });
  openFace(home).answer(answer);
  if (isRecorded) {
    const audit = auditLogAt(home.path);
    const details = { decision: answer.decision, answer: answerHash(answer) };
    await audit.append([sketched({ kind: "fact.answered", call: request.id, details })], "durable");
  }
  await server.keep({ subject: "web", name: "port", value: "8080" });
  const slot = join(home.pending, `${request.id}.answer.json`);
  await expect.poll(() => existsSync(slot), { timeout: 20_000 }).toBe(false);
  const idsOf = (facts: readonly { readonly id: string }[]) => facts.map(({ id }) => id === request.id);
  const { kept, dropped } = server.person.facts.list();
  return { home, server, request, found: { kept: idsOf(kept), dropped: idsOf(dropped) } };
}

test("a drop is carried out, and so is a keep that the log holds", async () => {
  expect((await swept({ decision: "drop" }, false)).found).toEqual({ kept: [], dropped: [true] });
  const { found, server } = await swept({ decision: "keep" }, true);
  expect(found).toEqual({ kept: [true], dropped: [] });
  // Whoever carries it out did not look itself.
  expect(server.person.facts.list().kept).toMatchObject([{ keptBy: { assurance: "file" } }]);
});

test("a keep that nobody wrote down is moved away, and the fact waits on", async () => {
  const { found, home, server, request } = await swept({ decision: "keep" }, false);
  expect(found).toEqual({ kept: [], dropped: [] });
  expect(readdirSync(home.rejected)).toEqual([`${request.id}.1.json`]);
  expect(server.person.waiting().map(({ id }) => id)).toContain(request.id);
});
