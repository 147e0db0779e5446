/** The library as an author opens it in a process of their own. */
import type { ConnectionOptions } from "../mcp/connection.js";
import { processOptions } from "../mcp/process-options.js";
import type { AnyServer } from "./call-context.js";
import { ownServer } from "./own-server.js";
import { openWisp, type Wisp } from "./wisp.js";

/** What an author says of the server. */
export interface WispOptions {
  /** The name by which a person knows it, and rules speak of its tools: small letters, digits and dashes, at most 32. */
  readonly name: string;
  /** The server whose tools ask, of either major of the SDK; it serves one client. */
  readonly server: AnyServer;
  /** Where rules of projects and relative paths start, absolute; else the directory that the process runs in. */
  readonly directory?: string;
  /** For how long a call is held at most, in seconds, where the client's patience is known; else what is known of clients. */
  readonly holdSeconds?: number;
  /** Takes a line for whoever looks at what the server says, safe to show; else it goes to standard error. */
  readonly say?: (line: string) => void;
}

/**
 * Opens nothing before the first ask. To be called while the process starts: it looks at who started it. Throws
 * invalid_input for a name that is none.
 */
export function createWisp(options: WispOptions): Wisp {
  const { name, server, say = (line) => void process.stderr.write(`${line}\n`) } = options;
  const { directory, ...machine } = processOptions();
  return openWisp({
    own: ownServer(name, process.argv[1] ?? process.execPath),
    server,
    options: {
      ...machine,
      directory: options.directory ?? directory,
      say: (line) => say(`wisp: ${line}`),
      ...runsNothing,
      hold: options.holdSeconds ?? null,
    },
  });
}

/** The tools are the author's: no command is run, and the mask of the process stays as it is. */
export const runsNothing: Pick<ConnectionOptions, "groups" | "umask"> = { groups: new Set(), umask: null };
