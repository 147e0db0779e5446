/**
 * What lasts is changed by a person alone: accepting, configuring, forgetting. No server looks at whoever does it, so this
 * process looks at itself. Nothing here can be switched off.
 */
import { type Home, resolveHome, type Shortfall, type Testimony } from "../broker/index.js";
import type { Complaint } from "../face/complaint.js";
import type { LastingTestimony } from "../face/own-look.js";
import { wispLine } from "../face/quote.js";
import { refuse } from "./report.js";
import type { Terminal } from "./terminal.js";
import { refusedUnseen } from "./terminal-only.js";

/** What is to be changed. */
export interface Lasting {
  /** What did not happen, without a full stop: `Nothing was accepted`. */
  readonly refusal: string;
  /** The words behind `wisp`, to type again elsewhere. */
  readonly words: readonly string[];
}

/** What was seen of this process: `lookForLasting`, or what stands for it in a test. */
export type LastingLook = (
  home: Home,
  terminal: Terminal,
) => Pick<Testimony, "shortfall" | "seen"> & Partial<Pick<LastingTestimony, "unlooked">>;

/**
 * Null where a person can be sitting here and sees what is asked; else tells why not and resolves with the exit code: 4
 * without a terminal, 10 within an agent, or where that cannot be seen. Rejects with channel_unsafe where the home is none.
 */
export async function refusedLasting(
  terminal: Terminal,
  what: Lasting,
  given?: LastingLook,
): Promise<number | null> {
  const judged = await judgeLasting(terminal, what, given);
  return judged.kind === "refused" ? judged.exit : null;
}

/** The same, with what was seen of this process, for whoever writes it down. */
export async function judgeLasting(
  terminal: Terminal,
  what: Lasting,
  given?: LastingLook,
): Promise<JudgedLasting> {
  if (!terminal.canAnswer) return { kind: "refused", exit: refusedWithoutTerminal(terminal, what) };
  const unseen = refusedUnseen(what.words, terminal);
  if (unseen !== null) return { kind: "refused", exit: unseen };
  const home = resolveHome(terminal.environment, terminal.directory);
  // A program of its own: it reads the configuration and looks at processes, which few verbs need.
  const look = given ?? (await import("../face/own-look.js")).lookForLasting;
  const { shortfall, seen, unlooked = null } = look(home, terminal);
  // A person who knows that their agent runs here must not take silence for a look.
  if (unlooked !== null) terminal.err.write(`${unlooked}\n`);
  if (shortfall === null) return { kind: "seen", seen };
  const within = typeof seen.within === "string" ? seen.within : "an agent's client";
  const complaint = complaintFor(shortfall, within, terminal, what);
  return { kind: "refused", exit: refuse("assurance_insufficient", terminal, complaint) };
}

/** What came of a look. */
export type JudgedLasting =
  | { readonly kind: "refused"; readonly exit: number }
  | { readonly kind: "seen"; readonly seen: Testimony["seen"] };

/** For those that need a terminal, and no look: what they change only makes more calls ask. */
export function refusedWithoutTerminal(terminal: Terminal, { refusal, words }: Lasting): number {
  return refuse("terminal_required", terminal, {
    what: `${refusal}: standard input is not a terminal.`,
    why: "What lasts, only a person changes; an agent's shell has no terminal.",
    fix: `Open a terminal and run: ${wispLine(terminal.environment, words)}`,
  });
}

function complaintFor(
  shortfall: Shortfall,
  within: string,
  { environment }: Terminal,
  { refusal, words }: Lasting,
): Complaint {
  const line = wispLine(environment, words);
  const outside = `Open a terminal outside of it and run: ${line}`;
  switch (shortfall) {
    case "within_client":
      return {
        what: `${refusal}: this command was started from within ${within}.`,
        why: "An agent must not change what it is asked about. A terminal inside an editor is part of that editor.",
        fix: outside,
      };
    case "terminal_held":
      return {
        what: `${refusal}: a process of an agent's client holds the other end of this terminal.`,
        why: "Whoever holds it can type here, so what is typed here proves no person.",
        fix: outside,
      };
    case "no_terminal":
      return {
        what: `${refusal}: standard input is not the terminal that controls this command.`,
        why: "A shell on a terminal starts commands so; programs and redirections hand over another one.",
        fix: `Open a terminal, and in its shell run: ${line}`,
      };
    case "process_unseen":
    case "process_gone":
      return {
        what: `${refusal}: this command cannot see who started it.`,
        why: "It could run within an agent's client, and nobody would know.",
        fix: `Open a terminal outside of containers and sandboxes and run: ${line}`,
      };
    default:
      return shortfall satisfies never;
  }
}
