/**
 * `wisp-tui`, also `wisp tui`: the full-screen face. Nothing of it is loaded before it is certain that there is a
 * terminal to draw on and a person to read it.
 */
import { shownText, version } from "../broker/index.js";
import { wispLine } from "../face/quote.js";
import { isTerminal, processSeat, type Seat } from "../face/seat.js";
import type { Manner } from "./session.js";
import { complain, exits, reportError } from "./terminal/complain.js";

/** Runs the face and resolves with the exit code: 2 for arguments it does not know, 4 without a terminal, 8 for a home that is not safe. */
export async function main(argv: readonly string[]): Promise<number> {
  const unknown = argv.find((word) => !known.has(word));
  if (unknown !== undefined) {
    complain({ what: shownText(`unknown argument '${unknown}'`), why: null, fix: "wisp-tui --help" });
    return exits.usage;
  }
  if (argv.some((word) => word === "--help" || word === "-h")) return print(help);
  if (argv.includes("--version")) return print(`${version}\n`);
  const seat = processSeat();
  if (!seat.canAnswer || !isTerminal(1)) {
    const line = wispLine(seat.environment, ["chat", "--plain"]);
    const what = `standard input and output have to be a terminal. Elsewhere: ${line}`;
    complain({ what, why: null, fix: null });
    return exits.noTerminal;
  }
  // What this process makes is for this person alone, whatever mask the shell has.
  process.umask(0o077);
  try {
    const { sit } = await import("./session.js");
    return await sit(seat, mannerOf(argv, seat.environment));
  } catch (error) {
    return reportError(error, seat.environment);
  }
}

/** Colours of a terminal stand in its own palette, and nothing is told by them alone. */
function mannerOf(argv: readonly string[], environment: Seat["environment"]): Manner {
  const { INK_SCREEN_READER, TERM, NO_COLOR } = environment;
  const isDumb = TERM === "dumb";
  const isRead =
    argv.includes("--screen-reader") || INK_SCREEN_READER === "true" || INK_SCREEN_READER === "1";
  return isRead || isDumb ? { kind: "said", canMark: !isDumb } : { kind: "drawn", isColoured: !NO_COLOR };
}

const known: ReadonlySet<string> = new Set(["--screen-reader", "--help", "-h", "--version"]);

const help = `Usage: wisp-tui [--screen-reader]

See what waits for a person, and answer it with single keys.

Options:
  --screen-reader  lines to be read aloud, and answers by typed words
  --version        print the version
  -h, --help       print this help

Environment:
  WISP_HOME         another home than ~/.wisp
  INK_SCREEN_READER as --screen-reader; so is TERM=dumb
  NO_COLOR          no colours

While it is open, ? lists the keys. Exit codes: 0 after q and Ctrl-C, 128+n
ended by signal n; others: wisp approvals --help
`;

function print(text: string): number {
  process.stdout.write(text);
  return exits.done;
}
