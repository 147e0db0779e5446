/** What a record says of a call, of an answer and of an effect, as a decision has it. */
import type { LogRecord } from "../../broker/index.js";
import type { Decision, Effect } from "./decision.js";
import { clientIn, numberIn, textIn, type Values } from "./values.js";

/** What is known of a request before it is decided. */
export type Facts = Pick<
  Decision,
  "level" | "client" | "thread" | "what" | "tool" | "directory" | "rule" | "remembered"
>;

/** Of a request of which nothing is known. */
export const noFacts: Facts = {
  level: null,
  client: null,
  thread: null,
  what: null,
  tool: null,
  directory: null,
  rule: null,
  remembered: null,
};

/** Of a record that says what is asked. */
export function factsIn({ kind, selfReported, details }: LogRecord): Facts {
  const client = clientIn(selfReported);
  const thread = textIn(selfReported, "thread");
  const directory = textIn(details, "directory");
  const who = { ...noFacts, client, thread, directory };
  if (kind.startsWith("question.")) return { ...who, what: "a question" };
  if (kind.startsWith("fact.")) {
    const { subject, name } = { subject: textIn(details, "subject"), name: textIn(details, "name") };
    return { ...who, what: `${subject ?? "?"} · ${name ?? "?"}` };
  }
  const command = textIn(details, "command");
  const tool = textIn(details, "tool");
  const server = textIn(details, "server");
  return {
    ...who,
    level: textIn(details, "level"),
    rule: textIn(details, "rule"),
    remembered: textIn(details, "remembered"),
    what: command ?? (server === null ? tool : `${server} · ${tool ?? "?"}`),
    tool: command === null ? tool : programIn(command),
  };
}

/** The first word of a command, without the directory it lies in. */
function programIn(command: string): string {
  return (command.split(" ", 1)[0] ?? "").split("/").at(-1) ?? "";
}

/** How something was answered. */
export type Answered = Pick<Decision, "via" | "assurance" | "scope" | "seconds">;

/** Of a record that says how something was answered. */
export function answeredIn(details: Values): Answered {
  return {
    via: textIn(details, "via"),
    assurance: textIn(details, "assurance"),
    scope: textIn(details, "scope"),
    seconds: numberIn(details, "seconds"),
  };
}

/** Of a record of an effect that ended. */
export function effectIn(details: Values): Effect {
  return {
    ending: textIn(details, "ending") ?? "unknown",
    exitCode: numberIn(details, "exitCode"),
    word: textIn(details, "signal") ?? textIn(details, "errno"),
    durationMs: numberIn(details, "durationMs"),
    truncated: details.truncated === true,
  };
}

/** An effect of which nothing more is known than this. */
export function effectThat(ending: "began" | "kept"): Effect {
  return { ending, exitCode: null, word: null, durationMs: null, truncated: false };
}

/**
 * Did a yes that was given before allow it, or a no of a moment ago refuse it? Then it is no call that a person was asked
 * about.
 */
export function isByPrecedent(details: Values): boolean {
  const { redeemed, repeated, remembered, rule } = details;
  const isAllowance =
    typeof rule === "string" && /^(once|session|project|always|unspent) approval /.test(rule);
  return redeemed === true || repeated === true || typeof remembered === "string" || isAllowance;
}
