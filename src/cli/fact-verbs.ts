/** The verbs under `wisp facts`. A table of words; what they do is a program of its own, which is loaded then. */
import { type KeepScope, keepScopes } from "../face/fact-scope.js";
import { wrongUsage } from "./arguments.js";
import { refusedElsewhere, refusedUnseen } from "./terminal-only.js";
import type { Verb } from "./verb.js";

const pending: Verb = {
  command: "wisp facts pending",
  synopsis: "[--json]",
  summary: "list what agents ask to keep, oldest first",
  details: ["--json          print one JSON object", "At most 20 facts of one client wait at a time."],
  switches: ["json"],
  options: [],
  takesId: false,
  async run({ switches }, terminal) {
    const { listPending } = await import("./kinds/main.js");
    return await listPending("fact", switches.has("json"), terminal);
  },
};

/** Ends with 0 only when the receipt carries this very answer. */
export const keep: Verb = {
  command: "wisp facts keep",
  synopsis: "ID [--scope SCOPE]",
  summary: "show a fact and keep it; only from a terminal",
  details: [
    "--scope SCOPE   project: where its server runs; global, or everywhere:",
    "                every directory, after a y;",
    "                left out: project, and global where a fact has no directory",
  ],
  switches: [],
  options: ["scope"],
  takesId: true,
  operand: "The id of a fact",
  async run({ id, options }, terminal) {
    const scope = scopeFrom(options.get("scope") ?? null);
    if (!terminal.canAnswer) return refusedElsewhere(["facts", "keep", id], terminal);
    const unseen = refusedUnseen(["facts", "keep", id], terminal);
    if (unseen !== null) return unseen;
    const { keepFact } = await import("./kinds/main.js");
    return await keepFact(id, scope, terminal);
  },
};

/** Ends with 0 only when the receipt carries this very answer. Never asks for confirmation. */
export const drop: Verb = {
  command: "wisp facts drop",
  synopsis: "ID [--for-good]",
  summary: "do not keep a fact; only from a terminal",
  details: [
    "--for-good      nobody may ask for it again; without it, that agent may",
    "                not ask again in this thread; where it has none, session",
  ],
  switches: ["for-good"],
  options: [],
  takesId: true,
  operand: "The id of a fact",
  async run({ id, switches }, terminal) {
    if (!terminal.canAnswer) return refusedElsewhere(["facts", "drop", id], terminal);
    const { dropFact } = await import("./kinds/main.js");
    return await dropFact(id, switches.has("for-good"), terminal);
  },
};

const list: Verb = {
  command: "wisp facts list",
  synopsis: "[--dropped] [--json]",
  summary: "list what is kept, oldest first",
  details: ["--dropped       list what was dropped", "--json          print one JSON object"],
  switches: ["dropped", "json"],
  options: [],
  takesId: false,
  async run({ switches }, terminal) {
    const { listFacts } = await import("./kinds/main.js");
    return await listFacts(switches.has("dropped"), switches.has("json"), terminal);
  },
};

const show: Verb = {
  command: "wisp facts show",
  synopsis: "ID [--json]",
  summary: "show one that was kept or dropped in full, also when it is forgotten",
  details: ["ID as list shows it, or as keep and drop took it", "--json          print one JSON object"],
  switches: ["json"],
  options: [],
  takesId: true,
  operand: "The id of a fact",
  async run({ id, switches }, terminal) {
    const { showFact } = await import("./kinds/main.js");
    return await showFact(id, switches.has("json"), terminal);
  },
};

const forget: Verb = {
  command: "wisp facts forget",
  synopsis: "ID",
  summary: "keep a fact no longer; only from a terminal",
  details: ["ID as list shows it; one that was dropped may be asked for again"],
  switches: [],
  options: [],
  takesId: true,
  operand: "The id of a fact",
  async run({ id }, terminal) {
    if (!terminal.canAnswer) return refusedElsewhere(["facts", "forget", id], terminal);
    const { forgetFact } = await import("./kinds/main.js");
    return await forgetFact(id, terminal);
  },
};

/** By the word that is typed after `wisp facts`; the help lists them in this order. */
export const factVerbs: ReadonlyMap<string, Verb> = new Map(
  Object.entries({ pending, keep, drop, list, show, forget }),
);

function scopeFrom(word: string | null): KeepScope | null {
  if (word === null) return null;
  const scope = keepScopes.get(word);
  if (scope === undefined)
    throw wrongUsage(`A fact is kept for ${[...keepScopes.keys()].join(" or ")}, not ${word}.`, keep);
  return scope;
}
