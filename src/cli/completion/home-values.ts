/** What can be completed only by whoever knows the home: ids of what waits, and of what is kept. */
import {
  DirectoryChannel,
  type Home,
  isHomeMade,
  type Kind,
  resolveHome,
  scopes,
  shownText,
} from "../../broker/index.js";
import { forWhom, summaryOf } from "../../face/describe.js";
import { keepScopes } from "../../face/fact-scope.js";
import { lateIds } from "../../face/find.js";
import { leftIn } from "../../face/kept.js";
import { factsIn } from "../../face/kept-facts.js";
import { grantText, leftBehind, revocableIn } from "../kept/granted.js";
import type { Terminal } from "../terminal.js";
import { clientWords, entryScopes } from "../wiring/clients.js";
import type { Suggestion, Values } from "./suggest.js";

/** Looks and changes nothing: no sweep, no directory. Where the home is not safe, or is none, nothing is known. */
export function valuesIn(terminal: Terminal): Values {
  return {
    ids: (path) => knownOf(() => idsOf(path, terminal)),
    of: (path, option) => {
      if (path.startsWith("gate ")) return placesIn(option);
      return option === "scope" ? scopesOf(path) : [];
    },
  };
}

/** Whoever completes is told no faults: the command itself tells them. */
function knownOf(look: () => readonly Suggestion[]): readonly Suggestion[] {
  try {
    return look();
  } catch {
    return [];
  }
}

/** What each verb takes an id of. */
const takes: Readonly<Record<string, readonly Kind[]>> = {
  "approvals show": ["approval", "fact", "question"],
  "approvals wait": ["approval", "fact", "question"],
  "approvals approve": ["approval"],
  "approvals deny": ["approval"],
  "facts keep": ["fact"],
  "facts drop": ["fact"],
  "questions answer": ["question"],
  "questions decline": ["question"],
};

/** Those that take what has ended and may still be answered, too. */
const takesLate: ReadonlySet<string> = new Set(["approvals show", "approvals approve", "approvals deny"]);

function idsOf(path: string, terminal: Terminal): readonly Suggestion[] {
  const home = resolveHome(terminal.environment, terminal.directory);
  if (!isHomeMade(home)) return [];
  if (path === "facts show" || path === "facts forget") return decidedFacts(home, terminal);
  if (path === "approvals revoke") return revocable(home, terminal);
  const kinds = takes[path] ?? [];
  const { requests } = waitingIn(home, terminal);
  const waiting = requests
    .filter(({ kind }) => kinds.includes(kind))
    .map((request) => ({ value: request.id, about: cut(`${summaryOf(request)} ${forWhom(request)}`) }));
  const late = takesLate.has(path) ? lateIds(home) : [];
  return [...waiting, ...late.map((value) => ({ value, about: "ended unanswered" }))];
}

/** Where an entry of a client can stand. */
function placesIn(option: string): readonly Suggestion[] {
  const words = option === "client" ? clientWords : option === "scope" ? entryScopes : [];
  return words.map((value) => ({ value, about: "" }));
}

function waitingIn(home: Home, { clock }: Terminal) {
  const channel = new DirectoryChannel({ home, clock, asker: null, onRefused: () => {} });
  try {
    return channel.pending();
  } finally {
    channel.close();
  }
}

function decidedFacts(home: Home, terminal: Terminal): readonly Suggestion[] {
  const { kept, dropped } = factsIn(home, terminal, terminal.via).facts.list();
  return [...kept, ...dropped].map(({ id, subject, name }) => ({
    value: id,
    about: cut(shownText(`${subject} · ${name}`)),
  }));
}

function revocable(home: Home, terminal: Terminal): readonly Suggestion[] {
  const kept = leftIn(home, terminal);
  return revocableIn(leftBehind(kept), kept.remembered.revocable(), kept.moment()).map((one) => ({
    value: one.id,
    about: cut(`${one.scope} ${grantText(one)}`),
  }));
}

function scopesOf(path: string): readonly Suggestion[] {
  const known = path === "facts keep" ? [...keepScopes.keys()] : path === "approvals approve" ? scopes : [];
  return known.map((value) => ({ value, about: "" }));
}

/** Beside an id in a list; what it is stands whole in show. */
const mostAbout = 60;

function cut(text: string): string {
  return text.length > mostAbout ? `${text.slice(0, mostAbout - 1)}…` : text;
}
