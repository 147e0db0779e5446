/** `wisp doctor`: whether asking and answering works here, and what to do where it does not. */
import {
  closeDirectories,
  DirectoryChannel,
  moveUnreadable,
  resolveHome,
  shownText,
  WispError,
} from "../../broker/index.js";
import type { Check } from "../doctor/check.js";
import { checksOf } from "../doctor/checks.js";
import { exits } from "../exits.js";
import { jsonLine } from "../json.js";
import { wispLine } from "../quote.js";
import { refuse, reportError } from "../report.js";
import type { Terminal } from "../terminal.js";

/** The flags, as commander hands them over. */
export interface DoctorOptions {
  readonly json?: boolean;
  readonly fix?: boolean;
}

/** Prints a line for each check and returns the exit code. */
export async function doctor(options: DoctorOptions, terminal: Terminal): Promise<number> {
  try {
    if (options.fix === true) {
      if (!terminal.canAnswer) return refusedFix(terminal);
      repair(terminal);
    }
    const checks = await checksOf(terminal);
    const isOk = checks.every(({ status }) => status !== "fail");
    terminal.out.write(options.json === true ? jsonOf(checks, isOk) : checks.map(linesOf).join(""));
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

function linesOf({ name, status, detail, fix }: Check): string {
  const line = `${status.padEnd(5)} ${name.padEnd(9)} ${detail}\n`;
  return fix === null ? line : `${line}${" ".repeat(indent)}fix: ${fix}\n`;
}

/** Below the detail of its check. */
const indent = 16;

/** What is repaired belongs to the person; an agent's shell must not decide that a file goes. */
function refusedFix(terminal: Terminal): number {
  return refuse("terminal_required", terminal, {
    what: "Nothing repaired: standard input is not a terminal.",
    why: "Only a person repairs what waits for a person.",
    fix: `Open a terminal and run: ${wispLine(terminal.environment, ["doctor", "--fix"])}`,
  });
}

function repair({ environment, directory, clock, err }: Terminal): void {
  const home = resolveHome(environment, directory);
  for (const path of closeDirectories(home)) err.write(`closed to others: ${shownText(path)}\n`);
  const channel = new DirectoryChannel({ home, clock, asker: null, onRefused: () => {} });
  try {
    for (const name of moveUnreadable(home, channel.pending(), clock)) {
      err.write(`moved to rejected/: ${shownText(name)}\n`);
    }
  } catch (error) {
    // What repairs cannot reach is told by the checks that follow.
    if (!(error instanceof WispError)) throw error;
  }
}
