/** `wisp doctor`: whether asking and answering works here, and what to do where it does not. */
import { createRequire } from "node:module";
import { release } from "node:os";
import {
  createNotifiers,
  type Desktop,
  desktopOf,
  type Notifier,
  type NotifySettings,
  resolveHome,
} from "../../broker/index.js";
import { configIn } from "../../face/config.js";
import { wispLine } from "../../face/quote.js";
import { widthsFor } from "../../face/widths.js";
import { wrappedWords } from "../../face/wrap.js";
import type { Check } from "../doctor/check.js";
import { checksOf, type LookElsewhere, type LookForLasting } from "../doctor/checks.js";
import { ping } from "../doctor/ping.js";
import { repair } from "../doctor/repair.js";
import { exits } from "../exits.js";
import { jsonLine } from "../json.js";
import { refuse, reportError } from "../report.js";
import type { Terminal } from "../terminal.js";
import { refusedUnseen } from "../terminal-only.js";

export { standingHere } from "../doctor/here.js";

/** The flags, as commander hands them over. */
export interface DoctorOptions {
  readonly json?: boolean;
  readonly fix?: boolean;
  readonly ping?: boolean;
}

/** What shows banners here, and looks at who sits here. */
export interface Machine {
  readonly desktop: Desktop;
  /** Finds the entry file of the package node-notifier; throws where it is not installed. */
  readonly nodeNotifier: () => string;
  readonly createNotifiers: (wanted: NotifySettings) => readonly Notifier[];
  /** Left out where this process is not to be looked at. */
  readonly lasting?: LookForLasting;
  readonly elsewhere?: LookElsewhere;
}

/** Prints a line for each check and returns the exit code. */
export async function doctor(
  options: DoctorOptions,
  terminal: Terminal,
  machine: Machine = thisMachine(terminal),
): Promise<number> {
  const { fix = false, ping: isPing = false } = options;
  try {
    if ((fix || isPing) && !terminal.canAnswer) return refused(fix ? "--fix" : "--ping", terminal);
    // The question of --ping, asked where nobody sees it, would be answered by chance.
    const unseen = isPing ? refusedUnseen(["doctor", "--ping"], terminal) : null;
    if (unseen !== null) return unseen;
    if (fix) await repair(terminal);
    const looked = await checksOf(terminal, machine);
    const pinged = isPing ? await ping(machine.createNotifiers(settingsOf(terminal)), terminal) : undefined;
    if (pinged === null) return exits.interrupted;
    const checks = pinged === undefined ? looked : [...looked, pinged];
    const isOk = checks.every(({ status }) => status !== "fail");
    terminal.out.write(options.json === true ? jsonOf(checks, isOk) : await textOf(checks, terminal));
    if (checks.some(({ isUnsafe }) => isUnsafe)) return exits.unsafe;
    return isOk ? exits.done : exits.unexpected;
  } catch (error) {
    return reportError(error, terminal);
  }
}

function jsonOf(checks: readonly Check[], isOk: boolean): string {
  const published = checks.map(({ name, status, detail, fix }) => ({
    name,
    status,
    detail,
    ...(fix === null ? {} : { fix }),
  }));
  return jsonLine({ schemaVersion: 1, ok: isOk, checks: published });
}

/** On a terminal what was found goes on below itself, broken at blanks. A repair that is a command stays whole: it is pasted. */
async function textOf(checks: readonly Check[], { out }: Pick<Terminal, "out">): Promise<string> {
  const room = out.isTerminal ? Math.max(indent, out.columns - indent) : Number.POSITIVE_INFINITY;
  const widths = await widthsFor(checks.map(({ detail }) => detail));
  const below = `\n${" ".repeat(indent)}`;
  return checks
    .map(({ name, status, detail, fix }) => {
      const found = wrappedWords(detail, room, widths).join(below);
      const line = `${status.padEnd(5)} ${name.padEnd(9)} ${found}\n`;
      if (fix === null) return line;
      const isSentence = /^[A-Z][a-z]/.test(fix);
      const repair = isSentence ? wrappedWords(`fix: ${fix}`, room, plain).join(below) : `fix: ${fix}`;
      return `${line}${" ".repeat(indent)}${repair}\n`;
    })
    .join("");
}

/** Repairs are our own words. */
const plain = { of: ({ length }: string) => length, pieces: (text: string) => text.split("") };

/** Below the detail of its check. */
const indent = 16;

function thisMachine({ environment, clock }: Terminal): Machine {
  const desktop = desktopOf(process.platform, release());
  const options = { clock, desktop, environment, nodeNotifier };
  return {
    desktop,
    nodeNotifier,
    createNotifiers: (wanted) => createNotifiers(wanted, options),
    // A program of its own: it looks at every process.
    lasting: async (home, on) => (await import("../../face/own-look.js")).lookForLasting(home, on),
    elsewhere: async (home) => (await import("../../face/own-look.js")).serversElsewhere(home),
  };
}

function nodeNotifier(): string {
  const require = createRequire(import.meta.url);
  return require.resolve("node-notifier");
}

/** As a server of this home would use them. */
function settingsOf({ environment, directory, clock }: Terminal): NotifySettings {
  return configIn(resolveHome(environment, directory), clock).settings.notify;
}

/**
 * What is repaired belongs to the person; an agent's shell must not decide that a file goes. And only a person knows
 * what they see.
 */
function refused(flag: "--fix" | "--ping", terminal: Terminal): number {
  const [done, why] =
    flag === "--fix"
      ? ["repaired", "Only a person repairs what waits for a person."]
      : ["posted", "Only a person can say whether they see a banner."];
  return refuse("terminal_required", terminal, {
    what: `Nothing ${done}: standard input is not a terminal.`,
    why,
    fix: `Open a terminal and run: ${wispLine(terminal.environment, ["doctor", flag])}`,
  });
}
