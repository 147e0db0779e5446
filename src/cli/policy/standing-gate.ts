/** The gate that a call would go through, as the files of the clients start it: which preset it has is written nowhere else. */
import { homeDirectoryOf } from "../../broker/index.js";
import type { Terminal } from "../terminal.js";
import { aroundOf } from "../wiring/clients.js";

/** What is known of it. */
export interface StandingGate {
  /** Where its entry stands, and what its client calls it. */
  readonly path: string;
  readonly entry: string;
  /** Null where it has none. */
  readonly preset: string | null;
  readonly isReadOnly: boolean;
  /** The directories that its command names. */
  readonly roots: readonly string[];
  readonly areFilesHere: boolean;
  /** Other entries start a gate of this name, of which something else is known. */
  readonly isAmbiguous: boolean;
}

/** The first gate called `server`, started in `directory`; null where no file that is understood has one. Starts nothing. */
export async function standingGate(
  server: string,
  directory: string,
  terminal: Terminal,
): Promise<StandingGate | null> {
  const { gateWordsIn } = await import("../gate/main.js");
  const entries = gateWordsIn(aroundOf(terminal));
  if (entries.length === 0) return null;
  const { knownGate } = await import("../../server/gate/known/main.js");
  const homeDirectory = homeDirectoryOf(terminal.environment);
  const named = entries.flatMap(({ path, entry, words }) => {
    const gate = knownGate(words, { directory, homeDirectory });
    if (gate?.name !== server) return [];
    const { name, ...known } = gate;
    return [{ path, entry, known }];
  });
  const [first] = named;
  if (first === undefined) return null;
  const { path, entry, known } = first;
  const isAmbiguous = named.some((one) => JSON.stringify(one.known) !== JSON.stringify(known));
  return { path, entry, ...known, isAmbiguous };
}
