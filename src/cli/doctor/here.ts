/** What `wisp` alone tells beside what waits: which clients are wired, where gates stand, and which changes of files wait for a person. */
import { type Home, shownText } from "../../broker/index.js";
import { configIn } from "../../face/config.js";
import { policyOf, secretOf } from "../../face/policy-here.js";
import type { Terminal } from "../terminal.js";
import { aroundOf, clientFiles, type FoundFile } from "../wiring/clients.js";

/** Each text is one line, safe to print. */
export interface Here {
  /** Clients whose configuration starts `wisp mcp`, each once. */
  readonly wired: readonly string[];
  /** Clients that are configured here and do not. */
  readonly unwired: readonly string[];
  /** What stands in them, and what is open. */
  readonly clients: string;
  /** Does an entry start a gate, or look like one? */
  readonly isGated: boolean;
  /** An entry that a gate can be put before from here, as a client calls it; null where there is none, or `isGated`. */
  readonly bare: string | null;
  /** Files of which something waits to be accepted, or which cannot be used. */
  readonly waiting: readonly string[];
  /** Can one of the person's own files not be used? Then nothing is accepted either. */
  readonly isFaulty: boolean;
}

/** Looks, and makes nothing; `home` is null where there is none yet, and `program` the path of this one. */
export function standingHere(home: Home | null, terminal: Terminal, program: string): Here {
  const files = clientFiles(aroundOf(terminal), program);
  const namesOf = (isWired: boolean): readonly string[] =>
    files.filter(({ entries }) => (entries ?? []).length > 0 === isWired).map(({ client }) => client);
  const wired = [...new Set(namesOf(true))];
  const unwired = [...new Set(namesOf(false))].filter((client) => !wired.includes(client));
  const standing = home === null ? { waiting: [], isFaulty: false } : standingOf(home, terminal);
  const isGated = files.some(({ gated, strays }) => gated.length + strays.length > 0);
  // What begins with a dash would be taken for a flag where it is pasted.
  const bare = files.flatMap((file) => file.bare).find((name) => !name.startsWith("-"));
  const clients = clientsText(files, { wired, unwired });
  return { wired, unwired, clients, isGated, bare: isGated ? null : (bare ?? null), ...standing };
}

/** The line is cut at the edge of a terminal: what leads nowhere stands first, and many are counted. */
function clientsText(
  files: readonly FoundFile[],
  { wired, unwired }: Pick<Here, "wired" | "unwired">,
): string {
  const named = (of: (file: FoundFile) => readonly string[]): readonly string[] => [
    ...new Set(files.flatMap((file) => of(file).map((name) => `${shownText(name)} in ${file.client}`))),
  ];
  const strays = named((file) => file.strays.map(({ name }) => name));
  const gates = named(({ gated }) => gated);
  const open = named(({ bare, addresses }) => [...bare, ...addresses]);
  const none = open.length === 0 ? "" : `, none before ${fewText(open)}`;
  const parts = [
    ...(strays.length === 0 ? [] : [`no working gate: ${fewText(strays)}`]),
    ...(gates.length === 0
      ? []
      : [`${gates.length === 1 ? "gate" : "gates"} before ${fewText(gates)}${none}`]),
    ...(wired.length === 0
      ? []
      : [`${wired.join(", ")} ${wired.length === 1 ? "starts" : "start"} wisp mcp`]),
  ];
  if (parts.length > 0) return parts.join("; ");
  if (unwired.length > 0) return `no gate in ${unwired.join(", ")}`;
  return "no configuration of a known client is here";
}

function fewText(names: readonly string[]): string {
  return names.length > mostNamed ? `${names.length} servers` : names.join(", ");
}

const mostNamed = 2;

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
