/** What the worker `granter` does, done by the test's own process, whose disk and life are sound. */

import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { recordedOf } from "../../src/broker/audit/decisions.js";
import { ensureHome, homeAt } from "../../src/broker/channel/home.js";
import type { GrantStore, Yes } from "../../src/broker/grants/grant-store.js";
import { momentsOf } from "../../src/broker/grants/life.js";
import { openGrantStore } from "../../src/broker/grants/unspent.js";
import { ownIdentity } from "../../src/broker/identity/process.js";
import { rootSecretOf } from "../../src/broker/identity/root-secret.js";
import { answerHash } from "../../src/broker/request/binding.js";
import { systemClock } from "../../src/broker/system/clock.js";
import { auditLogAt, keysOf } from "./audit-logs.js";
import { yesTo } from "./grants.js";
import { sketched } from "./sketched.js";
import { tempDirectory } from "./temp-home.js";

/** One home, the file in which effects are counted, and the yes that it is all about. */
export interface Scene {
  readonly home: string;
  readonly effects: string;
  readonly yes: Yes;
}

export function scene(): Scene {
  const directory = tempDirectory();
  return { home: join(directory, "home"), effects: join(directory, "effects"), yes: yesTo() };
}

const { boot } = ownIdentity();

function open(path: string) {
  const home = homeAt(path, false);
  const place = { path, ensureHome: () => ensureHome(home, systemClock), clock: systemClock };
  const grants: GrantStore = openGrantStore({
    ...place,
    keys: rootSecretOf(place),
    moment: momentsOf(systemClock, boot),
    ttlSeconds: 300,
    recorded: (id) => recordedOf(path, id, keysOf(path)),
    isServerGone: () => false,
  });
  return { grants, audit: auditLogAt(path, { home: place.ensureHome }) };
}

/** Writes the yes down and keeps it. */
export async function keepAt({ home, yes }: Scene): Promise<void> {
  const { grants, audit } = open(home);
  const details = { decision: "approve", answer: answerHash(yes.answer) };
  await audit.append([sketched({ kind: "approval.answered", call: yes.request.id, details })], "durable");
  if ((await grants.keep(yes)) === null) throw new Error("it was not kept");
}

/** Uses what is found, thrice at most; each time as a process that has just started. */
export async function useAllAt({ home, effects, yes }: Scene): Promise<void> {
  for (let time = 0; time < 3; time += 1) {
    const { grants, audit } = open(home);
    const approval = grants.find(yes.bound);
    if (approval === null || !(await grants.claim(approval.id))) return;
    await audit.append([sketched({ kind: "effect.started", call: yes.request.id })], "durable");
    appendFileSync(effects, `${yes.request.id}\n`);
  }
}

/** How often something ran. */
export function effectsOf({ effects }: Scene): number {
  return existsSync(effects) ? readFileSync(effects, "utf8").trimEnd().split("\n").length : 0;
}
