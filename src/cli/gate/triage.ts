/**
 * What of a server that no preset is for passes without a question. Invariants: it is started only after a person was told what
 * is started, and said y; what it says of itself decides nothing; without a word of the person everything asks.
 */
import { type ServerLook, shownText, withoutCredentials } from "../../broker/index.js";
import { quoted } from "../../face/quote.js";
import { exits } from "../exits.js";
import { complain } from "../report.js";
import type { Terminal } from "../terminal.js";
import type { FoundEntry } from "./find-entry.js";
import type { Upstream } from "./gate-line.js";
import { policyNow, type Ticked } from "./let-pass.js";
import { type StartOf, startOf } from "./start-of.js";
import { tickTools } from "./tick-dialog.js";

/** The program that looks at servers. */
export interface ToolsProgram {
  presetNameOf(upstream: Upstream): string | null;
  lookAtServer(
    options: StartOf &
      Pick<Terminal, "environment" | "clock"> & {
        readonly name: string;
        readonly signal: AbortSignal;
        readonly say: (line: string) => void;
      },
  ): Promise<ServerLook>;
}

/** What came of it. */
export type Triage =
  /** No rule is written. */
  | { readonly kind: "none" }
  | ({ readonly kind: "ticked" } & Ticked)
  | { readonly kind: "stopped"; readonly exit: number };

/** What is to be put behind a gate. */
export interface Untried {
  readonly entry: FoundEntry;
  readonly upstream: Upstream;
  /** Of the gate. */
  readonly name: string;
}

/** More than anybody reads, a page after the other. */
const mostTools = 1_000;

/** Asks the person, looks at the server, and lets them tick. Nothing is written. */
export async function triaged(untried: Untried, terminal: Terminal, program: ToolsProgram): Promise<Triage> {
  const { entry, upstream, name } = untried;
  if (program.presetNameOf(upstream) !== null) return { kind: "none" };
  const { err, environment, clock } = terminal;
  err.write(
    `No preset is for ${shownText(entry.name)}: calls of its tools ask, unless a rule lets them pass.\n`,
  );
  const before = policyNow(terminal);
  if (typeof before === "string") return asks(`its tools cannot be ticked, because ${before}`, terminal);
  const start = startOf(entry, upstream, terminal.directory);
  if (typeof start === "string") return asks(`it is not started here, because ${start}`, terminal);
  const interrupted = terminal.interruption();
  const stopped = await notStarted(start, terminal, interrupted);
  if (stopped !== null) return stopped;
  err.write("It has a minute to list its tools; Ctrl-C ends it.\n");
  const say = (line: string): void => err.write(`  | ${line}\n`);
  const look = await program.lookAtServer({ ...start, name, environment, clock, signal: interrupted, say });
  if (interrupted.aborted) return { kind: "stopped", exit: exits.interrupted };
  if (look.kind === "none") return asks(look.why, terminal);
  if (look.unclear.length > 0) err.write(`${unclearText(look.unclear)}\n`);
  if (look.tools.length === 0) return asks("it lists no tool that can be told apart", terminal);
  if (look.tools.length > mostTools)
    return asks(`it lists ${look.tools.length} tools, and nobody reads so many`, terminal);
  const ticked = await tickTools(entry.name, look.tools, terminal, interrupted);
  if (typeof ticked === "number") return { kind: "stopped", exit: ticked };
  if (ticked.length === 0) return { kind: "none" };
  return { kind: "ticked", server: look.server, tools: ticked, before };
}

/** `why` is a sentence, with or without its beginning and its end. */
function asks(why: string, { err }: Terminal): Triage {
  const text = shownText(why);
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;
  err.write(`${sentence} So no rule is written, and every call asks.\n`);
  return { kind: "none" };
}

async function notStarted(
  start: StartOf,
  terminal: Terminal,
  interrupted: AbortSignal,
): Promise<Triage | null> {
  const { upstream, added, directory } = start;
  const names = Object.keys(added).map(shownText);
  const isCommand = upstream.kind === "command";
  const lines = isCommand
    ? [
        "It can be started once, now, as its client would start it, and then lists its tools:",
        `  ${upstream.argv.map(quoted).join(" ")}`,
        `  in ${shownText(directory)}${names.length === 0 ? "" : `, with ${names.join(", ")} of the entry`}`,
      ]
    : [
        "It can be asked for its tools once, now, at its address:",
        `  ${shownText(withoutCredentials(new URL(upstream.url)).href)}`,
      ];
  terminal.err.write(`${lines.join("\n")}\n`);
  const does = isCommand ? "start" : "ask";
  const line = await terminal.readLine(
    `Type y to ${does} it, n to go on without; anything else changes nothing: `,
    interrupted,
  );
  if (interrupted.aborted) return { kind: "stopped", exit: exits.interrupted };
  switch (line?.trim().toLowerCase()) {
    case "y":
      return null;
    case "n":
      return { kind: "none" };
    default:
      complain(terminal, { what: "Nothing was changed: it was not confirmed.", why: null, fix: null });
      return { kind: "stopped", exit: exits.notApproved };
  }
}

const mostNamed = 5;

function unclearText(names: readonly string[]): string {
  const named = names.slice(0, mostNamed).map((name) => shownText(name.slice(0, 64)));
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : "";
  return `Not among them, because they are listed twice or cannot be told apart: ${named.join(", ")}${more}`;
}
