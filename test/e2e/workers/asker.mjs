/**
 * A whole server without MCP: files one request, waits, and when it is approved runs the effect, which appends the
 * request's id to WISP_TEST_EFFECTS. Reports over IPC what was filed and how it ended.
 */
import { appendFileSync } from "node:fs";

const door = await import(new URL("../../../dist/broker/index.js", import.meta.url).href);
const { DirectoryChannel, createApprover, ensureHome, homeAt, newIdentifier, openAuditLog, ownIdentity } =
  door;
const { serverPresence, systemClock, version } = door;

const home = homeAt(process.env.WISP_TEST_HOME, false);
const identity = ownIdentity();
const instance = newIdentifier((/** @type {number} */ size) => systemClock.randomBytes(size), 16);
const server = { pid: identity.pid, startedAt: identity.startedAt, boot: identity.boot, instance };
const audit = openAuditLog({
  home: () => ensureHome(home, systemClock),
  clock: systemClock,
  session: instance,
});
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
    // Looks at nothing: the faces of these tests have no terminal.
    witness: () => ({
      verified: { terminal: null, ancestry: null, signed: null },
      seen: {},
      shortfall: null,
    }),
  },
});
const timeoutSeconds = Number(process.env.WISP_TEST_TIMEOUT ?? "600");
const approver = createApprover({ channel, audit, clock: systemClock, server, version, timeoutSeconds });
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
  client: null,
  caller: "stdio",
  thread: null,
};
const outcome = await approver.ask(ask, null, new AbortController().signal, (/** @type {any} */ request) =>
  process.send?.({ filed: request }),
);
if (outcome.name === "approved") {
  await audit.append([{ kind: "effect.started", call: outcome.request }], "durable");
  appendFileSync(String(process.env.WISP_TEST_EFFECTS), `${outcome.request}\n`);
}
channel.close();
clearInterval(alive);
process.send?.({ outcome }, () => process.disconnect?.());
