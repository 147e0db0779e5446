/** What was seen of a process that answered, as it is told to the channel and to the audit log. */
import type { AnsweredBy } from "../request/answer.js";
import type { SeenProcess, Shortfall, Testimony } from "../request/assurance.js";
import { shownText } from "../request/shown.js";
import type { Ancestry } from "./ancestry.js";
import type { Family } from "./families.js";
import type { ProcessFacts, StandardInput } from "./source.js";
import type { TerminalHolder } from "./terminal-holder.js";

/** All that one look at a living process found. */
export interface Sight {
  readonly one: ProcessFacts;
  readonly input: StandardInput;
  readonly ancestry: Ancestry;
  /** The server that asked, and its client. */
  readonly own: Family;
  /** The family that the process belongs to; null for none. */
  readonly within: Family | null;
  /** Does an answer from within that family not count? */
  readonly isRefused: boolean;
  /** Why the client of the server that asked may be another, where no answer from within it counts; null for nothing. */
  readonly doubt: string | null;
  /** Records of other servers that were not read. */
  readonly unread: number;
  /** Null where nobody looked for it. */
  readonly terminal: TerminalHolder | null;
}

/** What is wanting, the first that is; null where the answer counts. */
export function shortfallOf(sight: Sight): Shortfall | null {
  const { input, ancestry, isRefused, doubt, terminal } = sight;
  if (input.kind === "unseen" || ancestry.end === "lost") return "process_unseen";
  // Where a system tells of nobody what they read from, nobody could answer if that were wanting.
  if (isInputItsTerminal(sight) === false) return "no_terminal";
  if (isRefused) return "within_client";
  // Nothing can be found to be outside of a client that is not known.
  if (doubt !== null) return "process_unseen";
  if (terminal?.isRefused === true) return "terminal_held";
  return terminal?.isCutShort === true ? "process_unseen" : null;
}

/** What `sight` shows. Of each process its number, start and program's name; never a command line or an environment. */
export function testimonyTo(sight: Sight): Testimony {
  const { one, ancestry, own, within, doubt, terminal } = sight;
  const holder = terminal?.holder ?? null;
  return {
    verified: {
      terminal: isInputItsTerminal(sight),
      ancestry: within !== null || holder !== null ? false : ancestry.end === "top" ? true : null,
      signed: null,
    },
    seen: {
      pid: one.pid,
      startedAt: shortText(one.startedAt),
      tty: one.terminal,
      ancestors: ancestry.processes.slice(0, mostEntries).map(described),
      client: own.processes.slice(0, mostEntries).map(described),
      within: within === null ? null : shortText(within.client ?? "a client without a name"),
      masterHolder: holder === null ? null : described(holder),
      unchecked: uncheckedIn(sight).slice(0, mostEntries),
      ...(doubt === null ? {} : { fault: doubt }),
    },
    shortfall: shortfallOf(sight),
  };
}

/** Of a process that could not be looked at, because of a `fault` or of what is wanting. */
export function testimonyWithout(
  by: AnsweredBy,
  shortfall: Shortfall,
  fault: string | null = null,
): Testimony {
  return {
    verified: { terminal: null, ancestry: null, signed: null },
    seen: {
      pid: by.pid,
      startedAt: shortText(by.startedAt),
      ...(fault === null ? {} : { fault: shortText(fault) }),
    },
    shortfall,
  };
}

/** Entries of one list in a record. */
const mostEntries = 32;
/** UTF-16 units of one text in a record, before it is made safe to show. */
const longestText = 256;

/** Null where that could not be seen; what has no terminal at all is at none, whatever it reads from. */
function isInputItsTerminal({ one, input }: Sight): boolean | null {
  if (one.terminal === null || input.kind === "other") return false;
  return input.kind === "controlling" ? true : null;
}

function uncheckedIn({ one, input, ancestry, unread, terminal }: Sight): readonly string[] {
  const hasUnsearched = one.terminal !== null && terminal === null;
  return [
    ...(input.kind === "untold" || input.kind === "unseen" ? ["standard input"] : []),
    ...(hasUnsearched ? ["who holds the terminal"] : []),
    ...(ancestry.end === "top" ? [] : ["ancestors beyond those that are named"]),
    ...(unread === 0 ? [] : [`${unread} records of other servers`]),
    ...(terminal?.unchecked ?? []),
  ];
}

function described({ pid, name, startedAt }: ProcessFacts): SeenProcess {
  return { pid, name: shortText(name), startedAt: shortText(startedAt) };
}

function shortText(text: string): string {
  return shownText(text.slice(0, longestText));
}
