/** Puts a gate before the server of an entry. What the entry says besides stays. */
import { addressObjection, shellQuoted, WispError } from "../../broker/index.js";
import { wispLine } from "../../face/quote.js";
import { isWisp } from "../wiring/entries.js";
import { type Change, changed, type Step } from "./change.js";
import { memberOf, rawOf, withWordsFirst } from "./entry-text.js";
import type { FoundEntry } from "./find-entry.js";
import { behindGate, gateNameFor, gateWords, type Upstream } from "./gate-line.js";
import { withOwnHome } from "./own-home.js";

/** What the entry starts, as words; the address alone where it starts nothing. */
export function wordsOf({ value, name }: FoundEntry): readonly string[] {
  const { command, args = [], url } = value;
  if (typeof command === "string" && Array.isArray(args) && args.every((one) => typeof one === "string")) {
    return [command, ...args];
  }
  if (command === undefined && typeof url === "string") return [url];
  throw new WispError("invalid_input", `The entry ${name} names no command and no address.`, {
    why: "A gate stands before a program that the client starts, or before an address.",
    fix: "Name another entry.",
  });
}

/**
 * What the entry starts or reaches, where a gate can stand before it; null where one of ours stands there already. `isOwn`: do
 * these words start this program? Throws invalid_input for what only has its name.
 */
export function upstreamOf(entry: FoundEntry, isOwn: (words: readonly string[]) => boolean): Upstream | null {
  const words = wordsOf(entry);
  const isGate = behindGate(words) !== null;
  if (isGate || isWisp({ name: entry.name, argv: words, timeoutSeconds: null })) {
    if (!isOwn(words)) throw notKnown(entry, words);
    if (isGate) return null;
    throw isOurs(entry);
  }
  const [program = "", ...rest] = words;
  if (entry.value.command !== undefined) return { kind: "command", argv: [program, ...rest] };
  refuseUnreachable(entry);
  return { kind: "address", url: program };
}

/** What is put before a server. */
export interface GateToBe {
  readonly name: string;
  readonly upstream: Upstream;
  /** The words that start this program. */
  readonly own: readonly string[];
  /** The home that it is to use; null for the usual one. */
  readonly home: string | null;
}

/** The change that puts it there. */
export function installed(entry: FoundEntry, gate: GateToBe): Change {
  const { own, name, upstream, home } = gate;
  const [first = "", ...words] = gateWords(own, name, upstream);
  const steps =
    upstream.kind === "command"
      ? beforeCommand(entry, first, [...words, upstream.argv[0]])
      : beforeAddress(entry, first, words);
  // Where its env cannot be changed the person is told.
  return changed(entry, [...steps, ...(home === null ? [] : (withOwnHome(entry, home, "args") ?? []))]);
}

function beforeCommand(entry: FoundEntry, first: string, words: readonly string[]): readonly Step[] {
  const { syntax, file, place } = entry;
  const args = memberOf(syntax.membersAt(file.text, place), "args");
  const written = words.map((word) => syntax.literal(word));
  return [
    { kind: "write", key: "command", raw: syntax.literal(first) },
    args === null
      ? { kind: "add", key: "args", raw: `[${written.join(", ")}]`, behind: "command" }
      : { kind: "write", key: "args", raw: withWordsFirst(rawOf(file.text, args), written) },
  ];
}

/** A client takes an entry for an address by its `type`, where it has one. */
function beforeAddress(
  { syntax, value }: FoundEntry,
  first: string,
  words: readonly string[],
): readonly Step[] {
  const written = words.map((word) => syntax.literal(word));
  const type: readonly Step[] =
    value.type === undefined ? [] : [{ kind: "write", key: "type", raw: syntax.literal("stdio") }];
  return [
    { kind: "write", key: "url", raw: syntax.literal(first), as: "command" },
    { kind: "add", key: "args", raw: `[${written.join(", ")}]`, behind: "command" },
    ...type,
  ];
}

/** What a client sends with each call to an address, the gate does not know. */
const saysWhoCalls = /header|auth|token|credential|secret|api_?key/i;

function refuseUnreachable({ value, name }: FoundEntry): void {
  const why = whyUnreachable(value);
  if (why !== null) {
    throw new WispError("invalid_input", `No gate can stand before ${name}.`, {
      why,
      fix: "Start the server by a command, where it has one, and name that entry.",
    });
  }
  const key = Object.keys(value).find((one) => saysWhoCalls.test(one));
  if (key === undefined) return;
  const gate = gateWords(["wisp"], gateNameFor(name), { kind: "address", url: String(value.url) });
  throw new WispError("invalid_input", `No gate is put before ${name}: its ${key} would not be sent.`, {
    why: "Start it by hand, with a token from --bearer-env or --bearer-file:",
    fix: wispLine({}, [...gate.slice(1), "--bearer-env", "VARIABLE"]),
  });
}

function whyUnreachable(value: FoundEntry["value"]): string | null {
  if (value.type === "sse") return "It is of type sse; the gate reaches addresses by streamable HTTP.";
  const url = String(value.url);
  if (!URL.canParse(url)) return "Its address is none before its client fills it in.";
  return addressObjection(new URL(url)) === null
    ? null
    : "Only https, or http on this machine, can be behind a gate.";
}

function notKnown({ name }: FoundEntry, words: readonly string[]): WispError {
  const message = `The entry ${name} starts something that is called wisp, and is not known to be this program.`;
  return new WispError("invalid_input", message, {
    why: `It starts: ${words.map(shellQuoted).join(" ")}`,
    fix: "Look at what that is. Where it is wisp after all, write the program that you ran just now in its place.",
  });
}

function isOurs({ name }: FoundEntry): WispError {
  return new WispError("invalid_input", `The entry ${name} starts wisp mcp, which asks by itself.`, {
    why: "A gate stands before the servers of others.",
    fix: "Name another entry.",
  });
}
