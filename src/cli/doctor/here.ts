/** What `wisp` alone tells beside what waits: which clients are wired, where gates stand, and which changes of files wait for a person. */
import { type Home, shownText } from "../../broker/index.js";
import { configIn } from "../../face/config.js";
import { policyOf, secretOf } from "../../face/policy-here.js";
import type { Terminal } from "../terminal.js";
import { aroundOf, clientFiles } from "../wiring/clients.js";

/** Each text is one line, safe to print. */
export interface Here {
  /** Clients whose configuration starts `wisp mcp`, each once. */
  readonly wired: readonly string[];
  /** Clients that are configured here and do not. */
  readonly unwired: readonly string[];
  /** Entries that start a gate, each once, by the client: `files in Claude Code`. */
  readonly gates: readonly string[];
  /** An entry that a gate can be put before from here, as a client calls it; null where there is none, or a gate is there. */
  readonly bare: string | null;
  /** Files of which something waits to be accepted, or which cannot be used. */
  readonly waiting: readonly string[];
  /** Can one of the person's own files not be used? Then nothing is accepted either. */
  readonly isFaulty: boolean;
}

/** Looks, and makes nothing; `home` is null where there is none yet. */
export function standingHere(home: Home | null, terminal: Terminal): Here {
  const files = clientFiles(aroundOf(terminal));
  const namesOf = (isWired: boolean): readonly string[] =>
    files.filter(({ entries }) => (entries ?? []).length > 0 === isWired).map(({ client }) => client);
  const wired = [...new Set(namesOf(true))];
  const unwired = [...new Set(namesOf(false))].filter((client) => !wired.includes(client));
  const standing = home === null ? { waiting: [], isFaulty: false } : standingOf(home, terminal);
  const gates = new Set(
    files.flatMap(({ client, gated }) => gated.map((one) => `${shownText(one)} in ${client}`)),
  );
  // What begins with a dash would be taken for a flag where it is pasted.
  const bare = files.flatMap((file) => file.bare).find((name) => !name.startsWith("-"));
  return { wired, unwired, gates: [...gates], bare: gates.size > 0 ? null : (bare ?? null), ...standing };
}

function standingOf(home: Home, terminal: Terminal): Pick<Here, "waiting" | "isFaulty"> {
  const { waiting, fault, distrust } = configIn(home, terminal.clock);
  const keys = distrust === null ? waiting.map(({ key }) => key) : ["its accepted copy"];
  const { files } = policyOf(home, secretOf(home, terminal), terminal).standing();
  const texts = [
    ...(fault === null ? [] : ["config.json cannot be used"]),
    ...(keys.length === 0 ? [] : [`config.json: ${keys.join(", ")}`]),
    ...files.flatMap(({ name, fault: why, waits }) => {
      if (why !== null) return [`${shownText(name)} cannot be used`];
      return waits === null ? [] : [`${shownText(name)}: ${waits}`];
    }),
  ];
  const isFaulty = fault !== null || files.some((file) => file.kind !== "project" && file.fault !== null);
  return { waiting: texts, isFaulty };
}
