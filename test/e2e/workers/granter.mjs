/**
 * A process that keeps and uses what a yes leaves behind. Told over IPC what to do, in order, and when to begin; an
 * effect appends the request's id to WISP_TEST_EFFECTS. Reports what came of each, or the error that ended it.
 */
import { appendFileSync } from "node:fs";

const door = await import(String(process.env.WISP_TEST_DOOR));
const { answerHash, ensureHome, homeAt, momentsOf, openAuditLog, ownIdentity, recordedOf, rootSecretOf } =
  door;
const { livenessOf, openConsumedStates, openGrantStore, openLateRequests, systemClock } = door;

const home = homeAt(process.env.WISP_TEST_HOME, false);
const place = { path: home.path, ensureHome: () => ensureHome(home, systemClock), clock: systemClock };
const keys = rootSecretOf(place);
const writing = {
  home: place.ensureHome,
  clock: systemClock,
  keys,
  identity: ownIdentity,
  liveness: livenessOf,
  rotation: null,
  // Signed where it is closed: a timer would make another number of steps of each run.
  headDelayMs: 60_000,
};
const shared = { ...place, keys, moment: momentsOf(systemClock, ownIdentity().boot) };
const audit = openAuditLog({ ...writing, session: "granter" });
const late = openLateRequests({ ...shared, lateSeconds: 86_400 });
const consumed = openConsumedStates(shared);
const grants = openGrantStore({
  ...shared,
  ttlSeconds: 300,
  recorded: (/** @type {string} */ id) => recordedOf(home.path, id, keys),
  isServerGone: () => false,
});

/** @type {Record<string, (yes: any) => Promise<unknown>>} */
const verbs = {
  async keep(yes) {
    const details = { decision: "approve", answer: answerHash(yes.answer) };
    await audit.append([{ kind: "approval.answered", call: yes.request.id, details }], "durable");
    return (await grants.keep(yes)) !== null;
  },
  async use(yes) {
    const approval = grants.find(yes.bound);
    if (approval === null || !(await grants.claim(approval.id))) return false;
    await audit.append([{ kind: "effect.started", call: yes.request.id }], "durable");
    appendFileSync(String(process.env.WISP_TEST_EFFECTS), `${yes.request.id}\n`);
    return true;
  },
  async giveBack(yes) {
    const approval = grants.find(yes.bound);
    if (approval === null || !(await grants.claim(approval.id))) return false;
    await audit.append([{ kind: "grant.released", call: yes.request.id }], "durable");
    return (await grants.release(approval.id)) !== null;
  },
  file: ({ bound, request }) => late.file({ bound, request, how: "timed_out", toldMsAgo: null }, true),
  isLate: async ({ request }) => late.read(request.id) !== null,
  consume: ({ request }) => consumed.consume(request.nonce, 60_000),
};

process.on("message", async (message) => {
  const {
    yes,
    todo,
    at = 0,
    isLast = true,
  } = /** @type {{ yes: any, todo: string[], at?: number, isLast?: boolean }} */ (message);
  spinUntil(at);
  const done = [];
  let fault = null;
  try {
    for (const verb of todo) done.push(await verbs[verb]?.(yes));
  } catch (error) {
    const { code, message: what, why, details } = /** @type {any} */ (error);
    fault = { code, what, why, isSpent: details?.isSpent ?? null };
  }
  // What it signs afterwards are steps as well: none of them comes after it has told how it ended.
  if (isLast) await audit.close();
  process.send?.({ ended: { done, fault, request: yes.request.id } }, () => isLast && process.disconnect?.());
});
process.send?.({ ready: true });

/** @param {number} at epoch milliseconds */
function spinUntil(at) {
  while (Date.now() < at);
}
