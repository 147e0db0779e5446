/** What may stand after `wisp gate`. Strict: a flag that is dropped in silence might have been the one that mattered. */
import { addressObjection, isGateName, nearest, shownText } from "../../broker/index.js";
import type { BearerPlace } from "./bearer.js";
import { nameFor } from "./gate-name.js";
import type { UpstreamPlace } from "./identity.js";
import { presetFor } from "./presets/match-command.js";

/** The arguments, read. */
export interface GateArguments {
  readonly name: string;
  readonly place: UpstreamPlace;
  /** Where the token for the address is kept; null for none. */
  readonly bearer: BearerPlace | null;
  /** The preset that was named; null where the server tells which. */
  readonly preset: string | null;
  readonly isReadOnly: boolean;
  /** For how many seconds a call is held; null where nothing is said. */
  readonly hold: number | null;
}

/** How it is used; no line is broken by a terminal of 80 columns. */
const usage = `
usage: wisp gate [--name NAME] [--preset PRESET] [--read-only]
                 [--hold SECONDS] -- CMD ARG…
       wisp gate [--name NAME] … --url URL
                 [--bearer-env NAME | --bearer-file FILE]
       wisp gate install NAME, wisp gate uninstall NAME
       wisp gate --help`;

const longestHoldSeconds = 86_400;
const valued = new Set(["--name", "--preset", "--hold", "--url", "--bearer-env", "--bearer-file"]);
const verbs = ["install", "uninstall"];

/** Or what is wrong with them, in lines that are safe to show. `presets` are the names that there are. */
export function readGateArguments(
  argv: readonly string[],
  presets: readonly string[],
): GateArguments | string {
  const end = argv.indexOf("--");
  const flags = end === -1 ? argv : argv.slice(0, end);
  const command = end === -1 ? null : argv.slice(end + 1);
  const values = new Map<string, string>();
  let isReadOnly = false;
  const left = [...flags];
  for (let flag = left.shift(); flag !== undefined; flag = left.shift()) {
    if (flag === "--read-only") {
      isReadOnly = true;
      continue;
    }
    const [name, joined] = splitFlag(flag);
    if (!valued.has(name)) return wrong(`it does not take ${JSON.stringify(flag)}${meantBy(name)}`);
    if (values.has(name)) return wrong(`${name} stands twice`);
    const value = joined ?? left.shift();
    if (value === undefined) return wrong(`${name} needs a value`);
    values.set(name, value);
  }
  const place = placeIn(values.get("--url"), command);
  if (typeof place === "string") return wrong(place);
  const bearer = bearerIn(values, place);
  if (typeof bearer === "string") return wrong(bearer);
  const preset = values.get("--preset") ?? null;
  if (preset !== null && !presets.includes(preset)) {
    return wrong(`there is no preset ${JSON.stringify(preset)}; there are ${presets.join(", ")}`);
  }
  const hold = holdIn(values.get("--hold"));
  if (typeof hold === "string") return wrong(hold);
  const known = preset ?? presetFor(place);
  const taken = place.kind === "command" ? nameFor(place.argv) : null;
  const name = values.get("--name") ?? known ?? taken;
  // Rules for what is known would count for another server that is called like it.
  if (!values.has("--name") && known === null && taken !== null && presets.includes(taken)) {
    return wrong(
      `the name would be ${taken}, after the command, and that is a preset which is not known to be for this command; ` +
        `where you know that it is, say --preset ${taken}, else give another name with --name`,
    );
  }
  if (name === null) {
    const nothing = place.kind === "address" ? "no preset for the address" : "no package in the command";
    return wrong(`${nothing} names the server; give it a name with --name`);
  }
  if (!isGateName(name)) return wrong(`--name takes a-z, 0-9 and -, at most 32, not ${JSON.stringify(name)}`);
  return { name, place, bearer, preset, isReadOnly, hold };
}

function splitFlag(flag: string): readonly [string, string?] {
  const at = flag.indexOf("=");
  return at === -1 || !flag.startsWith("--") ? [flag] : [flag.slice(0, at), flag.slice(at + 1)];
}

/** What was probably meant by a word that it does not take, as the end of a line. */
function meantBy(word: string): string {
  const isFlag = word.startsWith("-");
  const near = nearest(word, isFlag ? [...valued, "--read-only"] : verbs);
  if (near !== null) return `. Did you mean ${isFlag ? near : `wisp gate ${near}`}?`;
  return isFlag ? "" : ": put -- before the command of the server";
}

function placeIn(url: string | undefined, command: readonly string[] | null): UpstreamPlace | string {
  const [program, ...rest] = command ?? [];
  if (url === undefined) {
    if (program === undefined || program === "") return "the command of a server is missing behind --";
    return { kind: "command", argv: [program, ...rest] };
  }
  if (command !== null) return "give either --url or a command behind --";
  if (!URL.canParse(url)) return `--url takes an address, not ${JSON.stringify(url)}`;
  const parsed = new URL(url);
  const objection = addressObjection(parsed);
  return objection === null ? { kind: "address", url: parsed } : `--url ${objection}`;
}

function bearerIn(values: ReadonlyMap<string, string>, place: UpstreamPlace): BearerPlace | null | string {
  const name = values.get("--bearer-env");
  const path = values.get("--bearer-file");
  if (name === undefined && path === undefined) return null;
  if (place.kind === "command")
    return "a bearer token is for --url; a command finds its own in its environment";
  if (name !== undefined && path !== undefined) return "give either --bearer-env or --bearer-file";
  if (place.url.username !== "" || place.url.password !== "") {
    return "give either a bearer token or a name and a password in --url";
  }
  if (name === undefined) return { kind: "file", path: path ?? "" };
  // A token in its place would be shown to whoever looks at what runs, and so it is not said again here.
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name))
    return "--bearer-env takes the name of a variable, never the token";
  return { kind: "environment", name };
}

function holdIn(value: string | undefined): number | null | string {
  if (value === undefined) return null;
  // Decimal digits and nothing else: what reads as a number to one program is another number to the next.
  const hold = /^(0|[1-9][0-9]{0,4})$/.test(value) ? Number(value) : Number.NaN;
  if (hold <= longestHoldSeconds) return hold;
  return `--hold takes whole seconds from 0 to ${longestHoldSeconds}, not ${JSON.stringify(value)}`;
}

function wrong(what: string): string {
  return `${shownText(what)}${usage}`;
}
