/**
 * A face without a screen that decides facts: gives the answer that it is told over IPC, as its own process, and carries
 * it out where the server is gone. Reports how that ended. Whoever looks at it finds a person at a terminal.
 */
const door = await import(String(process.env.WISP_TEST_DOOR));
const { DirectoryChannel, answerAndWait, createLeftFacts, ensureHome, homeAt, leftPlaceIn, livenessOf } =
  door;
const { openAuditLog, openFactStore, ownIdentity, factAnswersRecordedOf, rootSecretOf, sweep, systemClock } =
  door;

const home = homeAt(process.env.WISP_TEST_HOME, false);
const own = ownIdentity();
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
const audit = openAuditLog({ ...writing, session: "cli" });
const atTerminal = { verified: { terminal: true, ancestry: true, signed: null }, seen: {}, shortfall: null };
const channel = new DirectoryChannel({ home, clock: systemClock, asker: null, onRefused: () => {} });
const carryOut = createLeftFacts({
  place: leftPlaceIn(home, systemClock),
  facts: openFactStore({ ...place, keys }),
  audit,
  clock: systemClock,
  session: "cli",
  recorded: (/** @type {ReadonlySet<string>} */ ids) => factAnswersRecordedOf(home.path, ids, keys),
  whoIs(/** @type {{ pid: number, startedAt: string }} */ { pid, startedAt }) {
    if (pid === own.pid && startedAt === own.startedAt) return "this process";
    return livenessOf({ ...own, pid, startedAt }, own) === "alive" ? "alive" : "gone";
  },
  lookAtSelf: () => atTerminal,
});

function sweepOnce() {
  const liveness = (/** @type {unknown} */ one) => livenessOf(one, own);
  const options = { home, clock: systemClock, instance: null, liveness, onDecidedFact: carryOut };
  sweep(options, channel.pending());
}

process.on("message", async (message) => {
  const { request, answer, at = 0 } = /** @type {{ request: any, answer: any, at?: number }} */ (message);
  const { pid, startedAt } = own;
  const signed = { ...answer, by: { ...answer.by, pid, startedAt } };
  while (Date.now() < at);
  const ending = await answerAndWait(request, signed, {
    channel,
    clock: systemClock,
    signal: new AbortController().signal,
    onSilent: () => {},
    sweep: sweepOnce,
  });
  channel.close();
  await audit.close();
  process.send?.({ ending }, () => process.disconnect?.());
});
process.send?.({ ready: true });
