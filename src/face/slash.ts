/**
 * What a person types after a slash, in plain chat and in the input box of the full-screen face. Only words: whether an id
 * means anything is for the face to find out.
 */
import { isWider, nearest, type Scope, scopes } from "../broker/index.js";
import { type KeepScope, keepScopes } from "./fact-scope.js";

/** A command, or why the text is none. */
export type Slash =
  | { readonly kind: "pending" }
  /** What ended unanswered and may still be answered. */
  | { readonly kind: "late" }
  /** `form` is the number of the rule that a wider yes remembers, from 1; null for exactly this call. */
  | {
      readonly kind: "approve";
      readonly id: string;
      readonly scope: Scope | null;
      readonly form: number | null;
    }
  /** `note` is for the agent; null when none was given. */
  | { readonly kind: "deny"; readonly id: string; readonly note: string | null }
  /** `scope` as an answer says it, `always` being everywhere; null where none was typed. */
  | { readonly kind: "keep"; readonly id: string; readonly scope: KeepScope | null }
  | { readonly kind: "drop"; readonly id: string; readonly isForGood: boolean }
  /** The answer itself is read by the face, where the question is before the person's eyes. */
  | { readonly kind: "answer"; readonly id: string }
  /** `note` is for the agent; null when none was given. */
  | { readonly kind: "decline"; readonly id: string; readonly note: string | null }
  | { readonly kind: "help" }
  | { readonly kind: "quit" }
  /** Text that is no command at all. */
  | { readonly kind: "text" }
  /** `what` says what is wrong with it and holds what was typed as it stands: hostile where it was pasted. */
  | { readonly kind: "wrong"; readonly what: string };

/** The lines of help, in the order in which a person needs them. */
export const slashHelp: readonly string[] = [
  "/approvals pending                      what waits",
  `/approvals approve ID [${scopes.join("|")}]`,
  "/approvals approve ID project|always N  remembers the form of that number",
  "/approvals deny ID [why]                the agent reads why",
  "/facts keep ID [project|global]         for its directory, or everywhere",
  "/facts drop ID [for-good]",
  "/questions answer ID                    asks for the answer",
  "/questions decline ID [why]             the agent reads why",
  "/late                                   what ended unanswered and may still be answered",
  "/help                                   this",
  "/quit                                   leave; nothing is answered",
];

/** What `typed` asks for. Blanks around words do not matter; the rest of a reason is kept as it was typed. */
export function parseSlash(typed: string): Slash {
  const line = typed.trim();
  if (!line.startsWith("/")) return { kind: "text" };
  const [head = "", verb = "", id = ""] = line.split(/\s+/);
  const rest = restAfter(line, 3);
  switch (head) {
    case "/approvals":
      return approvalsSlash(verb, id, rest);
    case "/facts":
      return factsSlash(verb, id, rest);
    case "/questions":
      return questionsSlash(verb, id, rest);
    case "/late":
    case "/help":
    case "/quit":
      return verb === "" ? { kind: headKinds[head] } : wrong(`${head} takes nothing after it.`);
    default:
      return unknown(head, heads);
  }
}

/**
 * Whole lines that `typed` may become, for completion: commands, then ids that wait. None where it is complete, or begins
 * nothing.
 */
export function slashCompletions(typed: string, ids: readonly string[]): readonly string[] {
  const words = typed.split(/\s+/);
  const [head = "", verb = "", id = ""] = words;
  if (words.length === 1) return heads.filter((one) => one.startsWith(head));
  const verbs = verbsOf.get(head) ?? [];
  if (words.length === 2) return verbs.filter((one) => one.startsWith(verb)).map((one) => `${head} ${one}`);
  if (words.length !== 3 || !verbs.includes(verb) || verb === "pending") return [];
  return ids.filter((one) => one.startsWith(id)).map((one) => `${head} ${verb} ${one}`);
}

const verbsOf: ReadonlyMap<string, readonly string[]> = new Map([
  ["/approvals", ["pending", "approve", "deny"]],
  ["/facts", ["keep", "drop"]],
  ["/questions", ["answer", "decline"]],
]);

const headKinds = { "/late": "late", "/help": "help", "/quit": "quit" } as const;

const heads: readonly string[] = [...verbsOf.keys(), ...Object.keys(headKinds)];

function approvalsSlash(verb: string, id: string, rest: string): Slash {
  switch (verb) {
    case "pending":
      return id === "" ? { kind: "pending" } : wrong("/approvals pending takes nothing after it.");
    case "approve": {
      if (id === "") return wrong("/approvals approve needs an id.");
      const [typed = "", number = "", ...more] = rest.split(/\s+/);
      const scope = scopes.find((one) => one === typed);
      const isWide = isWider(scope ?? null);
      if (rest !== "" && (scope === undefined || (number !== "" && !isWide))) {
        return wrong(`There is no scope ${rest}; scopes are ${scopes.join(", ")}.`);
      }
      if (number === "") return { kind: "approve", id, scope: scope ?? null, form: null };
      if (more.length > 0 || !/^[1-9][0-9]?$/.test(number)) {
        return wrong(`After ${typed} stands nothing, or the number of a form.`);
      }
      return { kind: "approve", id, scope: scope ?? null, form: Number(number) };
    }
    case "deny":
      if (id === "") return wrong("/approvals deny needs an id.");
      return { kind: "deny", id, note: rest === "" ? null : rest };
    default:
      return unknownVerb("/approvals", verb);
  }
}

function factsSlash(verb: string, id: string, rest: string): Slash {
  switch (verb) {
    case "keep": {
      if (id === "") return wrong("/facts keep needs an id.");
      if (rest === "") return { kind: "keep", id, scope: null };
      const scope = keepScopes.get(rest);
      return scope === undefined
        ? wrong(`A fact is kept for ${[...keepScopes.keys()].join(" or ")}, not ${rest}.`)
        : { kind: "keep", id, scope };
    }
    case "drop":
      if (id === "") return wrong("/facts drop needs an id.");
      if (rest !== "" && rest !== "for-good") return wrong(`A fact is dropped for-good or not, not ${rest}.`);
      return { kind: "drop", id, isForGood: rest !== "" };
    default:
      return unknownVerb("/facts", verb);
  }
}

function questionsSlash(verb: string, id: string, rest: string): Slash {
  switch (verb) {
    case "answer":
      if (id === "") return wrong("/questions answer needs an id.");
      // What stands there may be an answer that nobody wrote for the question that the id means.
      if (rest !== "") return wrong("/questions answer takes an id alone, and then asks for the answer.");
      return { kind: "answer", id };
    case "decline":
      if (id === "") return wrong("/questions decline needs an id.");
      return { kind: "decline", id, note: rest === "" ? null : rest };
    default:
      return unknownVerb("/questions", verb);
  }
}

function unknownVerb(head: string, verb: string): Slash {
  const verbs = verbsOf.get(head) ?? [];
  if (verb === "") return wrong(`${head} needs one of: ${verbs.join(", ")}.`);
  if (head === "/facts" && ["list", "show", "forget"].includes(verb))
    return wrong(`There is no ${head} ${verb}; in a shell there is: wisp facts ${verb}`);
  const meant = nearest(verb, verbs);
  return wrong(
    `There is no ${head} ${verb}; ${meant === null ? `it takes ${verbs.join(", ")}` : `did you mean ${head} ${meant}?`}`,
  );
}

function unknown(head: string, known: readonly string[]): Slash {
  const meant = nearest(head, known);
  return wrong(`There is no ${head}; ${meant === null ? "see /help" : `did you mean ${meant}?`}`);
}

function wrong(what: string): Slash {
  return { kind: "wrong", what };
}

/** What stands behind the first `count` words, trimmed at its ends. */
function restAfter(line: string, count: number): string {
  return line.replace(new RegExp(`^(?:\\S+\\s*){0,${count}}`), "");
}
