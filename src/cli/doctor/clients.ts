/** Whether the clients that are configured here start `wisp mcp` or gates, and whether they wait as long as a call is held. */
import { clientFacts, type Settings, shownText } from "../../broker/index.js";
import { quoted } from "../../face/quote.js";
import type { FoundFile } from "../wiring/clients.js";
import { type Entry, entriesNotRead, holdIn } from "../wiring/entries.js";
import { type Check, ok, warning } from "./check.js";

/** A line for each file that is there; one line where there is none. */
export function checkClients(
  files: readonly FoundFile[],
  settings: Pick<Settings, "approval">,
): readonly Check[] {
  if (files.length === 0) return [ok("clients", "no configuration of a known client is here")];
  return files.map((file) => checkClient(file, settings));
}

function checkClient(file: FoundFile, settings: Pick<Settings, "approval">): Check {
  const { client, path, entries, gated, strays } = file;
  const where = `${client}: ${shownText(path)}`;
  if (entries === null) return warning("client", `${where} could not be read as its client writes it`, null);
  const gates = gatesText(file);
  const [stray] = strays;
  if (stray !== undefined) {
    const others = strays.length === 1 ? "" : `; so do ${strays.length - 1} more`;
    const beside = gates === "" ? "" : `${gates}; `;
    return warning(
      "client",
      `${where}${gates.startsWith("has") ? "" : ":"} ${beside}${strayText(stray)}${others}`,
      strayFix(stray),
    );
  }
  const [first] = entries;
  if (first !== undefined) return checkServer({ ...file, entries, where, gates, first }, settings);
  if (gated.length > 0) return ok("client", `${where} ${gates}`);
  const notRead = path.endsWith(".toml") ? entriesNotRead : "";
  return ok("client", `${where} does not start wisp mcp${gates === "" ? "" : `; ${gates}`}${notRead}`);
}

/** Which servers have one, and which have none: a green line of some says nothing of the others. */
function gatesText({ gated, bare, addresses }: FoundFile): string {
  const without = [...bare, ...addresses];
  if (gated.length === 0) return without.length === 0 ? "" : `no gate stands before ${namesText(without)}`;
  const none = without.length === 0 ? "" : ` and none before ${namesText(without)}`;
  return `has a gate before ${namesText(gated)}${none}`;
}

function strayText({ name, path, isMissing }: FoundFile["strays"][number]): string {
  const what = isMissing ? "which does not exist" : "which is not known to be this program";
  return `${shownText(name)} starts ${shownText(path)}, ${what}`;
}

function strayFix({ name, isMissing }: FoundFile["strays"][number]): string {
  const line = (verb: string): string => `wisp gate ${verb} ${quoted(name)}`;
  const anew = `${line("uninstall")}, then ${line("install")}`;
  return isMissing ? anew : `Look at what that is; where it is another wisp: ${anew}`;
}

interface WithServer {
  readonly mcpName: string | null;
  readonly entries: readonly Entry[];
  readonly first: Entry;
  readonly where: string;
  readonly gates: string;
}

/** Of a file that starts `wisp mcp`. */
function checkServer(
  { mcpName, entries, first, where, gates }: WithServer,
  settings: Pick<Settings, "approval">,
): Check {
  const { approval } = settings;
  const { hold, holdSeconds } = clientFacts(mcpName, settings);
  const short = entries.find((entry) => {
    const held = holdSeconds === "auto" ? (holdIn(entry) ?? hold.silent) : holdSeconds;
    const longest =
      held ?? (approval.timeoutSeconds === 0 ? Number.POSITIVE_INFINITY : approval.timeoutSeconds);
    return entry.timeoutSeconds !== null && entry.timeoutSeconds <= longest;
  });
  const open = gates.startsWith("no") ? `; ${gates}` : "";
  const starts = `${where} ${gates.startsWith("has") ? `${gates}, and ` : ""}starts wisp mcp as ${shownText(first.name)}`;
  if (short === undefined) return ok("client", `${starts}${heldText(holdIn(first))}${open}`);
  const { timeoutSeconds } = short;
  return warning(
    "client",
    `${starts}, but gives up a call after ${timeoutSeconds} s, while wisp would still hold it`,
    `Start it there as: wisp mcp --hold ${Math.max(1, Math.floor((timeoutSeconds ?? 0) * 0.9) - 1)}`,
  );
}

function namesText(names: readonly string[]): string {
  const named = [...new Set(names)].map(shownText);
  const more = named.length - mostNamed;
  return `${named.slice(0, mostNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

const mostNamed = 8;

function heldText(seconds: number | null): string {
  return seconds === null ? "" : `, and holds a call for ${seconds} s`;
}
