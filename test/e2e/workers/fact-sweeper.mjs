/**
 * A server that asks nothing and sweeps once: carries out what other processes decided about facts whose server is gone,
 * with the parts that a server takes for that. It has given no answer itself, and ends with status 0 when all is done.
 */
const door = await import(String(process.env.WISP_TEST_DOOR));
const { DirectoryChannel, createLeftFacts, ensureHome, factAnswersRecordedOf, homeAt, leftPlaceIn } = door;
const { livenessOf, openAuditLog, openFactStore, ownIdentity, rootSecretOf, sweep, systemClock } = door;

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
const audit = openAuditLog({ ...writing, session: "sweeper" });
const channel = new DirectoryChannel({ home, clock: systemClock, asker: null, onRefused: () => {} });
const carryOut = createLeftFacts({
  place: leftPlaceIn(home, systemClock),
  facts: openFactStore({ ...place, keys }),
  audit,
  clock: systemClock,
  session: "sweeper",
  recorded: (/** @type {ReadonlySet<string>} */ ids) => factAnswersRecordedOf(home.path, ids, keys),
  whoIs: (/** @type {{ pid: number, startedAt: string }} */ { pid, startedAt }) =>
    livenessOf({ ...own, pid, startedAt }, own) === "alive" ? "alive" : "gone",
  lookAtSelf: null,
});

/** @type {Promise<void>[]} */
const carried = [];
const options = {
  ...{ home, clock: systemClock, instance: null },
  liveness: (/** @type {unknown} */ one) => livenessOf(one, own),
  onDecidedFact: (/** @type {unknown} */ request, /** @type {unknown} */ answer) =>
    void carried.push(carryOut(request, answer)),
};
sweep(options, channel.pending());
await Promise.all(carried);
channel.close();
await audit.close();
