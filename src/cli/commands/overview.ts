/** `wisp` alone, on a terminal: six lines that say what waits, what is set up, and the next command. */
import { realpathSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { isHomeMade, isUnaltered, type Kind, kinds, type Request, shownText } from "../../broker/index.js";
import { besides, standingLines, standingOf } from "../../face/besides.js";
import { ageSecondsOf, durationText, forWhom, summaryOf } from "../../face/describe.js";
import { quoted, wispLine } from "../../face/quote.js";
import { verbOf } from "../../face/verb-of.js";
import { openWaiting } from "../../face/waiting.js";
import { widthsFor } from "../../face/widths.js";
import { cut } from "../../face/wrap.js";
import type { Here } from "../doctor/here.js";
import { exits } from "../exits.js";
import { reportError } from "../report.js";
import type { Terminal } from "../terminal.js";

/** Prints them and returns the exit code; `program` is the path of this one. A line is cut at the edge of the terminal, but for a command: that is pasted. */
export async function overview(terminal: Terminal, program = process.argv[1] ?? "wisp"): Promise<number> {
  const { out, err, clock, environment } = terminal;
  try {
    const waiting = openWaiting(terminal);
    const { home, listing, swept } = waiting;
    const { requests } = listing;
    // The configuration and the rules: a program of its own, which help need not wait for.
    const { standingHere } = await import("./doctor.js");
    const here = standingHere(isHomeMade(home) ? home : null, terminal, program);
    const [oldest] = requests;
    const homeText = shownText(home.path);
    const rows = [
      ["waits", countsText(requests)],
      oldest === undefined
        ? ["home", `${homeText}${isHomeMade(home) ? "" : ", made when it is first used"}`]
        : ["oldest", oldestText(oldest, clock.now())],
      ["clients", here.clients],
      ["to accept", here.waiting.length === 0 ? "nothing" : here.waiting.join("; ")],
    ];
    const lines = rows.map(([label = "", text = ""]) => `${label.padEnd(labelColumns)}${text}`);
    const widths = await widthsFor(lines);
    for (const line of lines) out.write(`${cut(line, out.columns, "end", widths)}\n`);
    out.write(commandRow("next", nextWords(requests, here, serverLine(program, environment)), terminal));
    if (oldest === undefined)
      out.write(`${"or".padEnd(labelColumns)}wisp demo; everything else: wisp --help\n`);
    else out.write(commandRow("all", ["tui"], terminal));
    // What cannot be answered here must not pass for nothing; that nothing waits was said.
    err.write(standingLines(standingOf(requests, waiting), wispLine(environment, ["doctor"])));
    err.write(besides(listing, swept).replace(/^Nothing waits\.\n/, ""));
    return exits.done;
  } catch (error) {
    return reportError(error, terminal);
  }
}

const labelColumns = 11;

const named: Readonly<Record<Kind, readonly [one: string, several: string]>> = {
  approval: ["approval", "approvals"],
  fact: ["fact", "facts"],
  question: ["question", "questions"],
};

/** `3: 2 approvals, 1 question` */
function countsText(requests: readonly Request[]): string {
  if (requests.length === 0) return "nothing";
  const parts = kinds.flatMap((kind) => {
    const count = requests.filter((request) => request.kind === kind).length;
    const [one, several] = named[kind];
    return count === 0 ? [] : [`${count} ${count === 1 ? one : several}`];
  });
  return parts.length === 1 ? parts.join("") : `${requests.length}: ${parts.join(", ")}`;
}

/** What one says of itself counts for nothing once it was changed. */
function oldestText(request: Request, now: number): string {
  const age = durationText(ageSecondsOf(request, now));
  if (!isUnaltered(request)) return `${request.id}  ${age}  changed after it was filed`;
  return `${request.id}  ${age}  ${summaryOf(request)}  ${forWhom(request)}`;
}

/**
 * A command is never cut. Where the home before it leaves it no room it stands alone: the shell that this is read in has
 * the variable.
 */
function commandRow(
  label: string,
  words: readonly string[] | string,
  { out, environment }: Terminal,
): string {
  const room = out.columns - labelColumns;
  const whole = typeof words === "string" ? words : wispLine(environment, words);
  const line = typeof words === "string" || whole.length <= room ? whole : wispLine({}, words);
  return `${label.padEnd(labelColumns)}${line}\n`;
}

/** What a person does first: words for wisp, or a line of another program. A no never becomes a yes because somebody pastes it, so one is shown. */
function nextWords(
  requests: readonly Request[],
  { waiting, isFaulty, wired, unwired, isGated, bare }: Here,
  server: string,
): readonly string[] | string {
  const [oldest] = requests;
  if (oldest !== undefined) {
    const words = oldest.kind === "question" ? verbOf(oldest.kind, true) : ["approvals", "show"];
    return [...words, oldest.id];
  }
  if (isFaulty) return ["doctor"];
  if (waiting.length > 0) return ["accept"];
  if (bare !== null) return ["gate", "install", bare];
  if (wired.length > 0 || isGated) return ["doctor"];
  const isCodexAlone = unwired.includes("Codex") && !unwired.includes("Claude Code");
  return isCodexAlone ? `codex mcp add wisp -- ${server}` : `claude mcp add -s user wisp -- ${server}`;
}

/** What a client starts: by its name where a shell finds this very program under it, else by where it is. */
function serverLine(program: string, { PATH = "" }: Terminal["environment"]): string {
  const own = realOf(program);
  const found = PATH.split(delimiter)
    .filter(isAbsolute)
    .map((directory) => realOf(join(directory, "wisp")))
    .find((path) => path !== null);
  return found !== undefined && found === own ? "wisp mcp" : `node ${quoted(own ?? program)} mcp`;
}

function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    // Nothing is there that a shell would start.
    return null;
  }
}
