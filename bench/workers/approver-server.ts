/**
 * A whole server but for its protocol: approver, channel and audit log. Asks what it is told to; when a call ends,
 * its result is a line on standard output, as it would be for a client. With `--expose-gc` it tells its memory.
 */
import {
  createApprover,
  createDialogUse,
  defaultSettings,
  ensureHome,
  livenessOf,
  openAuditLog,
  ownIdentity,
  rootSecretOf,
  silentNotices,
  systemClock,
} from "../../src/broker/index.js";
import { type Asked, askFor } from "../support/asking.js";
import { openServer } from "../support/server.js";
import { slowLog } from "../support/slow-log.js";
import { hear, tell, workerOptions } from "../support/worker.js";

export interface ApproverServerOptions {
  readonly home: string;
  readonly fault: ApproverFault;
}

/** How the server is spoilt on purpose. */
export type ApproverFault =
  | "none"
  /** Each decision is written to disk four times. */
  | "writes four times"
  /** Looks at every waiting request every 200 ms. */
  | "polls each request"
  /** Keeps 32 KiB with each waiting call. */
  | "keeps too much";

export type ToApproverServer = { readonly ask: number } | { readonly memory: true };

export type FromApproverServer =
  | { readonly type: "ready" }
  | { readonly type: "asked"; readonly requests: readonly Asked[] }
  /** Bytes in use after collecting garbage. */
  | { readonly type: "memory"; readonly heap: number; readonly resident: number };

const { home: homePath, fault } = workerOptions<ApproverServerOptions>();
const { home, channel, server } = openServer(homePath, "none", "at the process");
const log = openAuditLog({
  home: () => ensureHome(home, systemClock),
  clock: systemClock,
  session: server.instance,
  keys: rootSecretOf({
    path: home.path,
    ensureHome: () => ensureHome(home, systemClock),
    clock: systemClock,
  }),
  identity: ownIdentity,
  liveness: livenessOf,
  rotation: () => defaultSettings.audit,
  headDelayMs: 250,
});
const approver = createApprover({
  channel,
  audit: fault === "writes four times" ? slowLog(log) : log,
  clock: systemClock,
  server,
  version: "0.1.0",
  timeoutSeconds: 86_400,
  declineMemorySeconds: 60,
  unseenAnswerMs: 400,
  dialogCounts: () => true,
  dialogUse: createDialogUse(),
  grants: null,
  late: null,
  remembered: null,
  notices: silentNotices,
});
const kept: number[][] = [];
let asked = 0;

async function ask(count: number): Promise<void> {
  const requests: Asked[] = [];
  for (let index = 0; index < count; index += 1) requests.push(await askOne());
  tell({ type: "asked", requests } satisfies FromApproverServer);
}

/** Resolves as soon as the request waits. */
function askOne(): Promise<Asked> {
  asked += 1;
  if (fault === "keeps too much") kept.push(new Array<number>(4_096).fill(0.5));
  return new Promise((resolve, reject) => {
    approver
      .ask(askFor(asked), null, new AbortController().signal, ({ id, binding }) => resolve({ id, binding }))
      .then(({ request, name }) => process.stdout.write(`${JSON.stringify({ id: request, name })}\n`))
      .catch(reject);
  });
}

function tellMemory(): void {
  // Twice: what the first one makes free in finalizers goes with the second.
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  tell({ type: "memory", heap: heapUsed, resident: rss } satisfies FromApproverServer);
}

hear<ToApproverServer>((message) => {
  if ("memory" in message) tellMemory();
  else void ask(message.ask);
});

if (fault === "polls each request") {
  setInterval(() => {
    for (const { id } of channel.pending().requests) channel.slot(id);
  }, 200);
}
tell({ type: "ready" } satisfies FromApproverServer);
