/** One decision as `wisp audit show` tells it: who asked for what, who allowed or refused it, and what came of it. */
import { shownOnce } from "../../broker/index.js";

/** By the words of the log, which anybody of this account can have written: texts are shown through `shownOnce`. */
export interface Decision {
  /** Epoch milliseconds. */
  readonly at: number;
  /** The request; null where nothing was filed. */
  readonly id: string | null;
  readonly run: string | null;
  /** As in docs/errors.md; `refused` by the policy; `passed` where nobody was asked; of facts and questions the decision. */
  readonly outcome: string;
  readonly level: string | null;
  readonly client: string | null;
  readonly thread: string | null;
  /** What would be done. */
  readonly what: string | null;
  /** The tool's name, or the program of a command. */
  readonly tool: string | null;
  readonly directory: string | null;
  readonly rule: string | null;
  /** The id of the remembered rule that allowed it. */
  readonly remembered: string | null;
  readonly via: string | null;
  readonly assurance: string | null;
  readonly scope: string | null;
  /** Was an earlier no told again? Then `via` and `assurance` are of that one, and nobody was asked. */
  readonly repeated: boolean;
  /** From asking to the answer. */
  readonly seconds: number | null;
  readonly effect: Effect | null;
}

/** What came of a yes. */
export interface Effect {
  /** `began`: nothing says how it ended. `kept`: it waits for the next call. */
  readonly ending: string;
  readonly exitCode: number | null;
  /** A signal, or the system's word for an error. */
  readonly word: string | null;
  readonly durationMs: number | null;
  /** Was its output too long to be shown whole? Then the whole may be kept. */
  readonly truncated: boolean;
}

/** `exit 0`, `not run`, `denied`: what it did, in a few words. Safe to print. */
export function resultText({ outcome, effect }: Decision): string {
  if (outcome !== "approved") return shownOnce(outcome.replaceAll("_", " "));
  if (effect === null) return "not run";
  const word = effect.word === null ? "" : ` ${shownOnce(effect.word)}`;
  switch (effect.ending) {
    case "exited":
      return effect.exitCode === null ? `ended by${word}` : `exit ${effect.exitCode}`;
    case "timed_out":
      return "stopped: time over";
    case "cancelled":
      return "stopped: cancelled";
    case "not_started":
      return `not started${word}`;
    case "answered":
      return "answered";
    case "began":
      return "began";
    case "kept":
      return "kept for a call";
    case "abandoned":
    case "drifted":
      return `not run: ${effect.ending}`;
    default:
      return "unknown";
  }
}

/** `cli terminal once`: how it was answered. Safe to print; "" where nobody answered. */
export function howText({ outcome, via, assurance, scope, repeated }: Decision): string {
  if (outcome === "refused") return "policy";
  const words = wordsOf([via, assurance, scope]);
  return repeated ? `${earlier}: ${words}` : words;
}

/** Of what was not answered by anybody now. */
const earlier = "earlier no";

function wordsOf(words: readonly (string | null)[]): string {
  return words
    .filter((word) => word !== null && word !== "server")
    .map((word) => shownOnce(word ?? ""))
    .join(" ");
}

/** `cli`, `tui session`: the same without what goes without saying. */
export function howShort({ outcome, via, scope, repeated }: Decision): string {
  if (outcome === "refused") return "policy";
  if (repeated) return earlier;
  return wordsOf([via === "elicitation" ? "dialog" : via, scope === "once" ? null : scope]);
}

/** `mod`: the level in four letters. Safe to print. */
export function levelShort(level: string | null): string {
  return shownOnce(level ?? "").slice(0, level === "moderate" ? 3 : 4);
}

/** `policy.json:3`: where the rule stands, or the id of the yes that allowed it. Safe to print. */
export function ruleShort(rule: string | null): string {
  const text = rule ?? "";
  const [, place] = /\(([^()]{1,200})\)$/.exec(text) ?? [];
  const [, id] = / approval (\S+)$/.exec(text) ?? [];
  const short = place?.replace(/^remembered\.json$/, "remembered").replace(/^the preset .*/, "preset");
  return shownOnce(short ?? id ?? text);
}

/** `claude-code/git`. Safe to print. */
export function whoText({ client, thread }: Decision): string {
  return shownOnce(thread === null ? (client ?? "") : `${client ?? ""}/${thread}`);
}
