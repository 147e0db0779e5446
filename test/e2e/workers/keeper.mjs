/**
 * A server without MCP that asks whether a fact is worth keeping. Reports over IPC what it filed, and what became of it.
 *   WISP_TEST_LEAVES: "1" ends as soon as it has asked, as an agent without a person in front of it does
 */
const door = await import(String(process.env.WISP_TEST_DOOR));
const { DirectoryChannel, createFactKeeper, ensureHome, homeAt, newIdentifier, openAuditLog, openFactStore } =
  door;
const { livenessOf, ownIdentity, rootSecretOf, serverPresence, silentNotices, systemClock, version } = door;

const home = homeAt(process.env.WISP_TEST_HOME, false);
const identity = ownIdentity();
const { pid, startedAt, boot } = identity;
const instance = newIdentifier((/** @type {number} */ size) => systemClock.randomBytes(size), 16);
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
const audit = openAuditLog({ ...writing, session: instance });
const atTerminal = { verified: { terminal: true, ancestry: true, signed: null }, seen: {}, shortfall: null };

const channel = new DirectoryChannel({
  home,
  clock: systemClock,
  onRefused: () => {},
  asker: {
    server: { pid, startedAt, boot, instance },
    by: { pid, startedAt, tty: null, version },
    presence: serverPresence({
      home,
      clock: systemClock,
      record: () => ({ v: 1, ...identity, instance, parent: null, client: null, home: home.path }),
    }),
    // A face of these tests has no terminal.
    witness: () => atTerminal,
  },
});
const keeper = createFactKeeper({
  channel,
  audit,
  clock: systemClock,
  server: { pid, startedAt, boot, instance },
  facts: openFactStore({ ...place, keys }),
  similar: () => [],
  keepDays: 7,
  notices: silentNotices,
});
const words = { subject: "api", name: "test command", value: "npm test", source: null, directory: "/srv" };
const client = { name: "test-client", version: "1.0.0" };
const asked = await keeper.ask({ words, client, caller: "stdio", thread: null });
process.send?.({ filed: asked.request ?? null, asked });

// The wait itself must not keep a server alive; this worker has nothing else to live for.
const alive = setInterval(() => {
  const [standing] = keeper.standings();
  if (standing !== undefined && standing.standing === "waits" && process.env.WISP_TEST_LEAVES !== "1") return;
  clearInterval(alive);
  end(standing);
}, 5);

/** @param {unknown} standing */
async function end(standing) {
  await keeper.close();
  channel.close();
  await audit.close();
  process.send?.({ standing: standing ?? null }, () => process.disconnect?.());
}
