/** What `wisp doctor --fix` repairs: only what surely hurts nobody. Each is told on standard error. */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import {
  clearedEvent,
  clearLeftLock,
  closeToOthers,
  DirectoryChannel,
  ensureHome,
  ensureSafeDirectory,
  expectWispError,
  type Home,
  livenessOf,
  moveUnreadable,
  openRememberedRules,
  ownIdentity,
  removeUncertain,
  resolveHome,
  shownText,
} from "../../broker/index.js";
import { auditIn } from "../../face/kept-log.js";
import { secretOf } from "../../face/policy-here.js";
import type { Terminal } from "../terminal.js";

/** Repairs what can be repaired in the home of this terminal. */
export async function repair(terminal: Terminal): Promise<void> {
  const { environment, directory, clock, err } = terminal;
  const home = resolveHome(environment, directory);
  for (const path of closeToOthers(home)) err.write(`closed to others: ${shownText(path)}\n`);
  const channel = new DirectoryChannel({ home, clock, asker: null, onRefused: () => {} });
  try {
    const listing = channel.pending();
    const moved = moveUnreadable(home, listing, clock);
    for (const name of moved) err.write(`moved to rejected/: ${shownText(name)}\n`);
    if (moved.length < listing.unreadable.length) {
      err.write("left for now: a file that is no request and less than a minute old may still be written\n");
    }
    for (const id of removeUncertain(join(home.path, "grants"))) {
      err.write(`removed, since nobody can say whether it was used: grants/${id}.json\n`);
    }
    await clearLock(home, terminal);
    await clearRules(home, terminal);
  } catch (error) {
    // What repairs cannot reach is told by the checks that follow.
    expectWispError(error);
  }
}

/** Whoever writes next takes over the lock of a dead process as well, but not before it has waited. */
async function clearLock(home: Home, { clock, err }: Terminal): Promise<void> {
  const directory = join(home.path, "audit");
  if (lstatSync(directory, { throwIfNoEntry: false }) === undefined) return;
  ensureSafeDirectory(directory);
  const own = ownIdentity();
  for (const name of await clearLeftLock({ directory, clock, own, liveness: livenessOf })) {
    err.write(`removed, its process is gone: audit/${shownText(name)}\n`);
  }
}

/** Rules whose time is over count for nobody; those that a person took out of the file lose their seal. */
async function clearRules(home: Home, terminal: Terminal): Promise<void> {
  const { clock, err } = terminal;
  const own = ownIdentity();
  const place = { path: home.path, ensureHome: () => ensureHome(home, clock), clock };
  const keys = secretOf(home, terminal);
  const rules = openRememberedRules({ ...place, keys, own, liveness: (one) => livenessOf(one, own) });
  const cleared = await rules.expire();
  if (cleared.length === 0) return;
  for (const { rule, why } of cleared) {
    const what = why === "expired" ? "its time is over" : "it is not in the file any more";
    err.write(`taken out of what is remembered, ${what}: ${shownText(rule.rule)}\n`);
  }
  await auditIn(place, "cli", keys).append(cleared.map(clearedEvent), "plain");
}
