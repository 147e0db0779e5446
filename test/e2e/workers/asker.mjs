/**
 * A whole server without MCP: files one request, waits, and when it is approved runs the effect, which appends the
 * request's id to WISP_TEST_EFFECTS. Reports over IPC what was filed and how it ended.
 *   WISP_TEST_CALLS: so many identical calls ask, and join; how the first of them ended is reported
 *   WISP_TEST_WITNESS: "looks" at the process that answers; finds the first answer "wanting"; "dies" when it would
 *     look. Without it every answer counts: a face of these tests has no terminal.
 */
import { appendFileSync } from "node:fs";

const door = await import(String(process.env.WISP_TEST_DOOR));
const { DirectoryChannel, createApprover, ensureHome, homeAt, newIdentifier, openAuditLog, ownIdentity } =
  door;
const {
  createDialogUse,
  livenessOf,
  processWitness,
  rootSecretOf,
  serverPresence,
  silentNotices,
  systemClock,
  version,
} = door;

const home = homeAt(process.env.WISP_TEST_HOME, false);
const identity = ownIdentity();
const instance = newIdentifier((/** @type {number} */ size) => systemClock.randomBytes(size), 16);
const server = { pid: identity.pid, startedAt: identity.startedAt, boot: identity.boot, instance };
const audit = openAuditLog({
  home: () => ensureHome(home, systemClock),
  clock: systemClock,
  session: instance,
  keys: rootSecretOf({
    path: home.path,
    ensureHome: () => ensureHome(home, systemClock),
    clock: systemClock,
  }),
  identity: () => identity,
  liveness: livenessOf,
  rotation: null,
  // Signed where it is closed: a timer would make another number of steps of each run.
  headDelayMs: 60_000,
});
const atTerminal = { verified: { terminal: true, ancestry: true, signed: null }, seen: {}, shortfall: null };
let isFirst = true;
const look = processWitness({
  own: identity,
  client: () => null,
  isRefusedWithin: () => false,
  others: () => ({ servers: [], unread: 0 }),
});

/** @param {any} answer */
function witness(answer) {
  const { WISP_TEST_WITNESS } = process.env;
  if (WISP_TEST_WITNESS === "looks") return look(answer);
  if (WISP_TEST_WITNESS === "dies") {
    process.kill(process.pid, "SIGKILL");
    // The signal is delivered before the next instruction of this thread is certain to run: wait for it.
    for (;;);
  }
  const isWanting = WISP_TEST_WITNESS === "wanting" && isFirst;
  isFirst = false;
  return isWanting ? { ...atTerminal, shortfall: "no_terminal" } : atTerminal;
}

const channel = new DirectoryChannel({
  home,
  clock: systemClock,
  onRefused: () => {},
  asker: {
    server,
    by: { pid: identity.pid, startedAt: identity.startedAt, tty: null, version },
    presence: serverPresence({
      home,
      clock: systemClock,
      record: () => ({ v: 1, ...identity, instance, parent: null, client: null, home: home.path }),
    }),
    witness,
  },
});
const timeoutSeconds = Number(process.env.WISP_TEST_TIMEOUT ?? "600");
const approver = createApprover({
  channel,
  audit,
  clock: systemClock,
  server,
  version,
  timeoutSeconds,
  declineMemorySeconds: 60,
  unseenAnswerMs: 400,
  dialogCounts: () => true,
  dialogUse: createDialogUse(),
  grants: null,
  late: null,
  remembered: null,
  notices: silentNotices,
});
// The wait itself must not keep a server alive; this worker has nothing else to live for.
const alive = setInterval(() => {}, 1_000);

const ask = {
  subject: {
    type: "command",
    line: "true",
    argv: ["true"],
    command: "true",
    directory: "/",
    pattern: null,
    program: null,
    directoryIdentity: null,
    state: null,
  },
  longTexts: [],
  level: "moderate",
  reasons: [],
  rule: null,
  says: null,
  scopes: ["once"],
  remember: null,
  allowedBy: null,
  client: null,
  caller: "stdio",
  thread: null,
  bound: { role: "mcp", server: "wisp" },
};
async function call() {
  const outcome = await approver.ask(ask, null, new AbortController().signal, (/** @type {any} */ request) =>
    process.send?.({ filed: request }),
  );
  if (outcome.name === "approved") {
    await audit.append([{ kind: "effect.started", call: outcome.request }], "durable");
    appendFileSync(String(process.env.WISP_TEST_EFFECTS), `${outcome.request}\n`);
  }
  return outcome;
}

const calls = Array.from({ length: Number(process.env.WISP_TEST_CALLS ?? "1") }, call);
const [outcome] = await Promise.all(calls);
channel.close();
await audit.close();
clearInterval(alive);
process.send?.({ outcome }, () => process.disconnect?.());
