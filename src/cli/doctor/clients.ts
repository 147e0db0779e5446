/** Whether the clients that are configured here start `wisp mcp` or gates, and whether they wait as long as a call is held. */
import { clientFacts, type Settings, shownText } from "../../broker/index.js";
import type { FoundFile } from "../wiring/clients.js";
import { entriesNotRead, holdIn } from "../wiring/entries.js";
import { type Check, ok, warning } from "./check.js";

/** A line for each file that is there; one line where there is none. */
export function checkClients(
  files: readonly FoundFile[],
  settings: Pick<Settings, "approval">,
): readonly Check[] {
  if (files.length === 0) return [ok("clients", "no configuration of a known client is here")];
  return files.map((file) => checkClient(file, settings));
}

function checkClient(
  { client, mcpName, path, entries, gated, bare }: FoundFile,
  settings: Pick<Settings, "approval">,
): Check {
  const where = `${client}: ${shownText(path)}`;
  if (entries === null) return warning("client", `${where} could not be read as its client writes it`, null);
  const [first] = entries;
  const gates = gated.length === 0 ? "" : `has a gate before ${namesText(gated)}`;
  if (first === undefined) {
    if (gates !== "") return ok("client", `${where} ${gates}`);
    const others = bare.length === 0 ? "" : `; no gate stands before ${namesText(bare)}`;
    const notRead = path.endsWith(".toml") ? entriesNotRead : "";
    return ok("client", `${where} does not start wisp mcp${others}${notRead}`);
  }
  const { approval } = settings;
  const { hold, holdSeconds } = clientFacts(mcpName, settings);
  const short = entries.find((entry) => {
    const held = holdSeconds === "auto" ? (holdIn(entry) ?? hold.silent) : holdSeconds;
    const longest =
      held ?? (approval.timeoutSeconds === 0 ? Number.POSITIVE_INFINITY : approval.timeoutSeconds);
    return entry.timeoutSeconds !== null && entry.timeoutSeconds <= longest;
  });
  const starts = `${where} ${gates === "" ? "" : `${gates}, and `}starts wisp mcp as ${shownText(first.name)}`;
  if (short === undefined) return ok("client", `${starts}${heldText(holdIn(first))}`);
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
