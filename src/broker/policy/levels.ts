/**
 * How dangerous a command is, for the person who is asked. A short list is dangerous wherever
 * it stands, also inside the text for another shell and under another spelling. It is a search, not a policy: it
 * errs towards dangerous and allows nothing. Linear in the command, never throws.
 */
import type { Level } from "../request/request.js";
import { dangers } from "./dangers.js";
import { flattened } from "./escapes.js";
import { type Piece, piecesOf } from "./pieces.js";
import {
  type Command,
  commandOf,
  evaluatesArguments,
  hasFetcher,
  joinsArguments,
  readerOf,
  runsArguments,
} from "./programs.js";

/** How dangerous a command looks, in the words that its request will carry. */
export interface Judgement {
  readonly level: Level;
  /** Why, in short words for a person; never empty. */
  readonly reasons: readonly string[];
}

/** Judges the words that run, or the shell line where `argv` is null. */
export function judgeCommand(command: {
  readonly argv: readonly string[] | null;
  readonly line: string;
}): Judgement {
  const search: Search = { found: new Set(), fetched: new Set(), embedded: new Map() };
  const place: Place = { isRun: true, from: null, depth: 0 };
  if (command.argv === null) searchText(command.line, place, search);
  else searchPieces([{ words: command.argv, targets: [], from: null, host: null }], place, search);
  const reasons = dangerReasons.filter((reason) => search.found.has(reason));
  return reasons.length > 0 ? { level: "dangerous", reasons } : { level: "moderate", reasons: [harmless] };
}

/** Why a call has the least level that there is. */
export const harmless = "nothing in it is on the list of dangers";

const fetchedReason = "runs what it downloads";
const pipedReason = "runs what is piped into it";
const forkReason = "starts itself without end";
/** What makes a command dangerous, in the words of its reasons: `deletes recursively`. */
export const dangerReasons = [...dangers.map(({ reason }) => reason), fetchedReason, pipedReason, forkReason];

interface Search {
  readonly found: Set<string>;
  /** Commands whose output was downloaded. */
  readonly fetched: Set<Piece>;
  /** Commands into which a download is substituted, and as which of their words. */
  readonly embedded: Map<Piece, Set<number>>;
}

interface Place {
  /** Is the text known to be run, rather than only mentioned? */
  readonly isRun: boolean;
  /** What feeds it through a pipe. */
  readonly from: Piece | null;
  readonly depth: number;
}

/** Text inside text inside text: deeper than this it is searched as if nothing in it were quoted. */
const deepest = 6;

/** Where quotes may be misread: substitutions and here-documents. Such text is searched unquoted as well. */
const complex = /\$\(|\$\{|`|<<|[<>]\(/;

/** The list of words that a program in another language hands to the system: `run(["rm", "-r", "x"])`. */
const list = /["']\s*,/;

function searchText(text: string, place: Place, search: Search): void {
  if (isForkBomb(text)) search.found.add(forkReason);
  if (place.depth < deepest) searchPieces(piecesOf(text, place.from), place, search);
  const flat = { ...place, depth: deepest };
  if (place.depth >= deepest || complex.test(text)) {
    searchPieces(piecesOf(flattened(text), place.from), flat, search);
  }
  if (list.test(text)) searchPieces(piecesOf(flattened(text).replace(/[,[\]]/g, " "), null), flat, search);
}

function searchPieces(pieces: readonly Piece[], place: Place, search: Search): void {
  for (const piece of pieces) {
    const command = commandOf(piece, place.isRun);
    for (const danger of dangers) if (danger.isIn(command)) search.found.add(danger.reason);
    searchSources(piece, command, search);
    if (place.depth < deepest) searchInside(piece, command, place.depth + 1, search);
  }
}

/** Does the command run what another one wrote or downloaded? Inner commands come before outer ones. */
function searchSources(piece: Piece, command: Command, search: Search): void {
  const { found, fetched, embedded } = search;
  const isFedByFetch = piece.from !== null && fetched.has(piece.from);
  const reader = piece.from === null ? null : readerOf(command);
  if (reader !== null && isFedByFetch) found.add(fetchedReason);
  else if (reader === "program" && command.isRun) found.add(pipedReason);
  const indexes = embedded.get(piece);
  if (
    indexes !== undefined &&
    (evaluatesArguments(command) || (command.isRun && isProgram(command, indexes)))
  ) {
    found.add(fetchedReason);
  }
  if (!isFedByFetch && indexes === undefined && !hasFetcher(command)) return;
  fetched.add(piece);
  if (piece.host === null) return;
  const { piece: host, index } = piece.host;
  embedded.set(host, (embedded.get(host) ?? new Set()).add(index));
}

function isProgram({ programs: [first] }: Command, indexes: ReadonlySet<number>): boolean {
  return first !== undefined && indexes.has(first.at);
}

/** What makes a word more than a word when a shell reads it. */
const special = /[\s;&|()<>{`"'\\$]/;

function searchInside(piece: Piece, command: Command, depth: number, search: Search): void {
  const isRun = command.isRun && runsArguments(command);
  const place: Place = { isRun, from: isRun ? piece.from : null, depth };
  const inside = [...command.words, ...command.targets].filter((word) => special.test(word));
  if (inside.length > 0 && joinsArguments(command)) inside.push(command.words.join(" "));
  for (const text of inside) searchText(text, place, search);
}

const longestFunctionName = 64;

/** `f(){ f|f& };f` by any name. */
function isForkBomb(text: string): boolean {
  const start = "(){";
  if (!text.includes("(")) return false;
  const dense = text.replace(/\s/g, "");
  for (let at = dense.indexOf(start); at !== -1; at = dense.indexOf(start, at + 1)) {
    const name = /[^;&|(){}]+$/.exec(dense.slice(Math.max(0, at - longestFunctionName), at))?.[0];
    if (name !== undefined && dense.startsWith(`${name}|${name}&`, at + start.length)) return true;
  }
  return false;
}
