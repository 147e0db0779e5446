/** One gate between one client and one upstream: what its frames pass through, and what its calls are made of. */
import { type Clock, judgingOf, newIdentifier, sha256Hex, shownText, WispError } from "../../broker/index.js";
import type { Connection, ConnectionOptions } from "../mcp/connection.js";
import { createActs } from "./calls/acts.js";
import type { Gate } from "./calls/gate-parts.js";
import type { GatePolicy } from "./calls/gate-policy.js";
import { answerCall } from "./calls/gated-call.js";
import { createHeld } from "./calls/held.js";
import { createLimits, type LimitSettings } from "./calls/limits.js";
import { createPassedLog, passedEvent } from "./calls/passed-log.js";
import type { Pins } from "./calls/pinned.js";
import { createRefusedLog } from "./calls/refused-log.js";
import { createRounds } from "./calls/round.js";
import { createSession } from "./calls/session.js";
import type { StateBinding } from "./calls/state-binding.js";
import { createToolBook } from "./calls/tool-book.js";
import type { ServerIdentity } from "./calls/tool-subject.js";
import { isObject, type JsonObject, messageIn } from "./frames/json-object.js";
import type { Answered, Handed } from "./frames/passage.js";
import { createRouter, type Router } from "./frames/router.js";
import { createProbe, type Probe } from "./state/probe.js";

/** What is between a client and an upstream. */
export interface OpenGate extends Pick<Router, "fromClient" | "fromUpstream" | "refuseLine" | "lostOne"> {
  /** The upstream is gone: what waits is withdrawn, and every call is answered. Resolves as `close` does. */
  lost(why: string): Promise<void>;
  /** The client left, or a signal ends the gate: what waits is withdrawn. Resolves when all of it is settled. Idempotent. */
  close(why: string): Promise<void>;
}

/** What a gate is made of. */
export interface GateParts {
  readonly server: ServerIdentity;
  readonly connection: Connection;
  readonly options: ConnectionOptions;
  readonly policy: GatePolicy;
  readonly pins: Pins;
  /** Is handed what makes calls that only look; it judges them first. */
  readonly states: (probe: Probe) => StateBinding;
  readonly limits: () => LimitSettings;
  readonly toClient: (line: Buffer | string) => void;
  readonly toUpstream: (line: Buffer | string) => Handed;
  /** A line of the upstream that is no message of the protocol. */
  readonly onStray: (line: Buffer) => void;
  /** How many bytes of the client wait for their turn to go on. */
  readonly onWaiting: (bytes: number) => void;
}

/** So long a server may take to list its tools, on all pages, or to answer a question of ours. */
const longestAnswerMs = 30_000;
const idLength = 24;

/** Opens it; nothing of the home is touched before the first call. */
export function openGate(parts: GateParts): OpenGate {
  const { server, connection, options, toClient, toUpstream } = parts;
  const { clock } = options;
  const session = createSession();
  const asking = () => connection.open(null);
  const passed = createPassedLog(() => asking().audit, clock);
  const refused = createRefusedLog(passed, server.name, clock);
  const acts = createActs(clock);
  const calls = new Set<Promise<void>>();
  let closed: Promise<void> | null = null;
  const newId = (): string => newIdentifier((size) => clock.randomBytes(size), idLength);

  const timeLimit = (): number => clock.monotonic() + longestAnswerMs;

  /** Requests of our own speak as the client does: a server of the 2026 era asks for its envelope. */
  function request(method: string, params: JsonObject): Promise<Answered> {
    const envelope = session.envelope();
    return router.request(method, envelope === null ? params : { ...params, _meta: envelope });
  }

  const tools = createToolBook(() => {
    // All that the client writes waits for it, so all of its pages have one.
    const endsAt = timeLimit();
    return (cursor) => withinTime(request("tools/list", cursor === null ? {} : { cursor }), clock, endsAt);
  });

  async function callUpstream(name: string, given: JsonObject): Promise<JsonObject> {
    // A rule lets it through, which need not say that it changes nothing.
    const act = acts.add();
    const answering = request("tools/call", { name, arguments: given });
    void answering.then(act.over);
    const answered = await withinTime(answering, clock, timeLimit());
    if (answered.kind === "lost") act.cancelled();
    const result = answered.kind === "answer" ? messageIn(answered.line)?.result : null;
    if (isObject(result) && isWhole(result)) return result;
    throw new WispError(
      "upstream_unavailable",
      `The server did not answer ${shownText(name)}, which says what a yes is about.`,
    );
  }

  const probe = createProbe({
    tools,
    async rule(call) {
      const { policy, config } = asking();
      return parts.policy.rule(call, await policy(), judgingOf(config));
    },
    make: callUpstream,
    async note(call, ruling) {
      const event = () => passedEvent(server, call, ruling, null);
      const writing = passed.ready(event);
      if (writing === null) passed.add(event());
      else await writing;
    },
  });

  const router = createRouter(
    {
      toClient,
      toUpstream,
      onStray: parts.onStray,
      onWaiting: parts.onWaiting,
      onCall(call, passage) {
        const answering = answerCall(call, passage, gate).finally(() => calls.delete(answering));
        calls.add(answering);
      },
      onRefused: ({ why }) => refused.add(why),
      onRequest(method, params) {
        const heard = session.hear(method, params);
        return method === "tools/list" ? (line) => tools.learn(line) : heard;
      },
      onMessage: (method) => method === "notifications/tools/list_changed" && tools.forget(),
    },
    newId,
  );

  const gate: Gate = {
    ...{ server, connection, options, session, tools, passed, clock },
    policy: parts.policy,
    pins: parts.pins,
    states: parts.states(probe),
    rounds: createRounds(tagOf(server), () => asking().states),
    limits: createLimits(parts.limits, clock),
    held: createHeld(),
    acts,
    ask: (method, params, signal) => router.ask(method, params, signal),
  };

  async function closeAll(why: string): Promise<void> {
    // Before the calls hear of it: what waits is withdrawn, and nobody gave it up.
    const settled = connection.opened()?.approver.close(why);
    await Promise.allSettled([settled, ...calls]);
    refused.close();
    // Its log is closed with the connection.
    await passed.close();
    await connection.close(why);
  }

  return {
    fromClient: (line) => router.fromClient(line),
    fromUpstream: (line, frame) => router.fromUpstream(line, frame),
    refuseLine: (why) => router.refuseLine(why),
    lostOne: (id, why, isUnsent) => router.lostOne(id, why, isUnsent),
    lost(why) {
      closed ??= closeAll(why);
      router.lost(why);
      return closed;
    },
    close(why) {
      closed ??= closeAll(why);
      router.left();
      return closed;
    },
  };
}

/** The same gate has the same states from one process to the next. */
function tagOf({ hash }: ServerIdentity): string {
  return sha256Hex(`wisp/gate-states/v1\n${hash}`).slice(0, 12);
}

/** What asks for more first, or is a task, says nothing yet that a yes could be bound to. */
function isWhole({ isError, resultType = "complete", content }: JsonObject): boolean {
  return isError !== true && resultType === "complete" && Array.isArray(content);
}

/** A server that does not answer counts as one that is gone. */
async function withinTime(answered: Promise<Answered>, clock: Clock, endsAt: number): Promise<Answered> {
  let late: () => void = () => undefined;
  const timedOut = new Promise<Answered>((resolve) => {
    late = () => resolve({ kind: "lost", isUnsent: false });
  });
  const timer = clock.after(Math.max(0, endsAt - clock.monotonic()), late);
  try {
    return await Promise.race([answered, timedOut]);
  } finally {
    timer.cancel();
  }
}
