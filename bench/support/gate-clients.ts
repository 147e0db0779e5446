/** The ways from a client to one server of files: straight, through a relay that reads nothing, and through a gate. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { benchProgram, newPlace, wisp } from "./places.js";
import { fileIn, type StdioClient, startStdioClient } from "./stdio-client.js";

/** A file of faults/ that is loaded into the gate; null for none. */
export type GateFault = "lags" | "parses-again" | "keeps-lines" | null;

export interface GateClients {
  straight(): Promise<StdioClient>;
  throughRelay(): Promise<StdioClient>;
  /** By a preset, which allows what reads and looks at each path among the arguments. */
  throughGate(fault: GateFault): Promise<StdioClient>;
  /** Through another program, which is told the server's command behind its own words. */
  through(words: readonly string[]): Promise<StdioClient>;
  /** Where all of them work. */
  readonly directory: string;
  close(): Promise<void>;
}

/** In a new home, which is the usual one of the person there. */
export function openGateClients(): GateClients {
  const place = newPlace();
  const directory = place.path("work");
  const file = fileIn(directory);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "what the server would read\n");
  const server = [benchProgram("workers/files-server"), directory];
  const started: StdioClient[] = [];

  async function start(words: readonly string[]): Promise<StdioClient> {
    const client = await startStdioClient({ words, directory });
    started.push(client);
    return client;
  }

  const through = (words: readonly string[]): Promise<StdioClient> =>
    start([...words, process.execPath, ...server]);

  return {
    directory,
    straight: () => start(server),
    throughRelay: () => through([benchProgram("workers/byte-relay")]),
    through,
    throughGate(fault) {
      const spoilt = fault === null ? [] : ["--import", benchProgram(`faults/${fault}`)];
      const gate = ["gate", "--name", "fs", "--preset", "filesystem", "--"];
      return through([...spoilt, wisp, ...gate]);
    },
    async close() {
      for (const client of started) await client.close();
      place.remove();
    },
  };
}
