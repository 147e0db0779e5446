/**
 * One look at a server that no preset is for, before a gate is put there: it is started as its client would start it, lists
 * its tools, and is ended. A program of its own. Invariant: however this ends, the server does not go on running.
 */
import { constants } from "node:os";
import {
  type Clock,
  expectWispError,
  type ListedTool,
  type ServerLook,
  shownText,
} from "../../../broker/index.js";
import { smallEnvironment } from "../../command/environment.js";
import type { ToolsFound } from "../calls/tool-list.js";
import { identityIn, type UpstreamPlace } from "../identity.js";
import { presetFor } from "../presets/match-command.js";
import { listedTools } from "./listed-tools.js";
import { createPrinted } from "./printed.js";
import { startedAt } from "./started.js";
import { createTalk } from "./talk.js";

/** What an entry starts, or where it is reached: an address that a gate can stand before. */
export type LookedAt =
  | { readonly kind: "command"; readonly argv: readonly [string, ...string[]] }
  | { readonly kind: "address"; readonly url: string };

/** What is looked at, and who hears of it. */
export interface LookOptions {
  /** Of the gate that will stand before it. */
  readonly name: string;
  readonly upstream: LookedAt;
  /** The person's: the few names of it that a program needs are passed on, and all of `added`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly added: Readonly<Record<string, string>>;
  /** Where it is started, absolute. */
  readonly directory: string;
  readonly clock: Clock;
  /** Ends it at once. */
  readonly signal: AbortSignal;
  /** Hears what the server prints, line by line, safe to show; the first lines of it. */
  readonly say: (line: string) => void;
}

/** The first start of a package loads it. */
const longestLookMs = 60_000;

/** The preset that is for it; null where none is. */
export function presetNameOf(upstream: LookedAt): string | null {
  return presetFor(placeOf(upstream));
}

/** Never rejects for what the server does. */
export async function lookAtServer(options: LookOptions): Promise<ServerLook> {
  const { name, upstream, environment, added, directory, clock, signal } = options;
  const place = placeOf(upstream);
  const around = { environment: { ...smallEnvironment(environment), ...added }, directory };
  const printed = createPrinted(options.say);
  const talk = createTalk({ send: (line) => void started.upstream.send(line), onStray: printed });
  const started = await startedAt(place, { ...around, clock }, talk, printed);
  const abort = (): void => talk.end("It was ended before it listed its tools.");
  const timer = clock.after(
    longestLookMs,
    () => talk.end("It did not list its tools within a minute."),
    true,
  );
  const release = onEndOfProcess(() => started.upstream.kill());
  signal.addEventListener("abort", abort);
  try {
    if (signal.aborted) abort();
    const found = await listedTools(talk);
    const { hash: identity, text: identityText } = identityIn(name, place, around);
    return { kind: "tools", server: { identity, identityText }, ...listed(found) };
  } catch (error) {
    return { kind: "none", why: shownText(expectWispError(error).message) };
  } finally {
    timer.cancel();
    if (signal.aborted) started.upstream.kill();
    else started.upstream.stop();
    await started.gone;
    signal.removeEventListener("abort", abort);
    release();
  }
}

function placeOf(upstream: LookedAt): UpstreamPlace {
  return upstream.kind === "command" ? upstream : { kind: "address", url: new URL(upstream.url) };
}

function listed(found: ToolsFound): {
  readonly tools: readonly ListedTool[];
  readonly unclear: readonly string[];
} {
  const tools: ListedTool[] = [];
  const unclear: string[] = [];
  for (const [name, tool] of found) {
    if (tool === null) unclear.push(name);
    else {
      const { description, isReadOnly, hash, text } = tool;
      tools.push({ name, description, isReadOnly, hash, text });
    }
  }
  return { tools, unclear };
}

const endings = ["SIGTERM", "SIGHUP"] as const;
const bySignal = 128;

/** Whoever ends this process ends the server, too; returns what lets go of that. */
function onEndOfProcess(kill: () => void): () => void {
  const leave = (signal: NodeJS.Signals): void => process.exit(bySignal + constants.signals[signal]);
  process.on("exit", kill);
  for (const signal of endings) process.on(signal, leave);
  return () => {
    process.off("exit", kill);
    for (const signal of endings) process.off(signal, leave);
  };
}
