/** The MCP server over any transport: which tools there are, and what happens when a connection ends. */
import { McpServer, type ServerContext, type Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { version } from "../../broker/index.js";
import { type ConnectionOptions, createConnection } from "./connection.js";
import { type FactsResource, factsUri, registerFactsResource } from "./facts-resource.js";
import { hearListens } from "./listens.js";
import { callerOf, type Era, peerOf } from "./peer.js";
import { registerAskPerson } from "./tools/ask-person.js";
import { registerKeepFact } from "./tools/keep-fact.js";
import { registerNotify } from "./tools/notify.js";
import { registerReadAnswer } from "./tools/read-answer.js";
import { registerReadFacts } from "./tools/read-facts.js";
import { registerRunCommand } from "./tools/run-command.js";

/** What a connection needs, and who hears of faults on the wire. */
export interface ServeOptions extends ConnectionOptions {
  /** Told of what is wrong on the wire; nothing is to be done about it. */
  readonly onError: (error: Error) => void;
  /** A client has introduced itself and was answered: what its calls need may be made ready. Not all clients say so. */
  readonly onIntroduced: () => void;
}

/** A server on its transport, from its start to its end. */
export interface Served {
  /** Resolves when the connection is over: the client left, or `stop` was called. */
  readonly gone: Promise<void>;
  /** Resolves when all that waited or ran has ended; call after `gone`. */
  settled(): Promise<void>;
  /** Ends the connection; what waits is settled as withdrawn because of `why`. */
  stop(why: string): void;
}

const instructions =
  "Commands that run_command takes are shown to a person, who approves or denies them. Say so while you wait, and " +
  "take a no as final: do not look for another way to do the same. What only the person can tell you, ask with " +
  "ask_person instead of guessing; what is worth knowing in later sessions, propose with keep_fact, and a person decides " +
  "whether it is kept.";

/** One resource that changes; which there are never does. */
const capabilities = { resources: { subscribe: true, listChanged: false } };

/** Serves one client over `transport`, in the era that its first message speaks. */
export function serve(transport: Transport, options: ServeOptions): Served {
  const endings: Promise<void>[] = [];
  let why = "the client left";
  let watched: FactsResource | null = null;
  const wire = hearListens(transport, factsUri, (isListened) => watched?.listened(isListened));
  // A client may be looked at by one instance and served by the next: each has what it opened, and closes it.
  const handle = serveStdio(
    ({ era: opened }) => {
      const era: Era = opened === "modern" ? "2026" : "2025";
      const connection = createConnection(options);
      // What comes back with a dialog's answer is judged before the tool sees the call.
      const verify = (text: string, ctx: ServerContext): Promise<unknown> => {
        const peer = peerOf(server, ctx, era);
        return connection.open(peer.client).states.verify(text, callerOf(peer));
      };
      const server = new McpServer(
        { name: "wisp", version },
        { instructions, capabilities, requestState: { verify } },
      );
      const { clock, directory, onError } = options;
      registerRunCommand(server, { connection, options, era });
      registerAskPerson(server, { connection, options, era });
      registerReadAnswer(server, { connection, era });
      registerNotify(server, { connection, directory, era });
      registerKeepFact(server, { connection, directory, era, clock });
      registerReadFacts(server, { connection, directory, era });
      const resource = registerFactsResource(server, { connection, directory, era, onError });
      watched = resource;
      server.server.onerror = onError;
      server.server.oninitialized = options.onIntroduced;
      server.server.onclose = () => {
        resource.stop();
        endings.push(connection.close(why));
      };
      return server;
    },
    { transport: wire, onerror: options.onError },
  );
  const gone = new Promise<void>((resolve) => {
    const closeInstance = wire.onclose;
    wire.onclose = () => {
      closeInstance?.();
      resolve();
    };
  });
  return {
    gone,
    settled: async () => void (await Promise.allSettled(endings)),
    stop(reason) {
      why = reason;
      handle.close().catch(options.onError);
    },
  };
}
