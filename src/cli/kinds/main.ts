/**
 * What a person does with facts and questions. A program of its own, so that the verbs about approvals do not carry it.
 * Each function tells what went wrong and returns the exit code; words were parsed and the terminal was judged before.
 */

import type { FactRequest, Home, Kind } from "../../broker/index.js";
import type { KeepScope } from "../../face/fact-scope.js";
import { factsIn, type KeptFacts } from "../../face/kept-facts.js";
import { openWaiting, type Waiting } from "../../face/waiting.js";
import { refusedLasting } from "../lasting.js";
import { reportError } from "../report.js";
import type { Terminal } from "../terminal.js";
import { answerOne, declineOne } from "./answer.js";
import { listAll } from "./fact-list.js";
import { showDecided } from "./fact-show.js";
import { forgetOne } from "./forget.js";
import { dropOne, keepOne } from "./keep.js";
import { listOf } from "./pending.js";

/** `facts pending`, `questions pending` */
export function listPending(
  kind: Exclude<Kind, "approval">,
  isJson: boolean,
  terminal: Terminal,
): Promise<number> {
  return told(terminal, (waiting) => listOf(kind, isJson, waiting, terminal));
}

/** `facts keep ID` */
export function keepFact(typed: string, scope: KeepScope | null, terminal: Terminal): Promise<number> {
  return told(terminal, (waiting) => keepOne(typed, scope, waiting, terminal));
}

/** `facts drop ID` */
export function dropFact(typed: string, isForGood: boolean, terminal: Terminal): Promise<number> {
  return told(terminal, (waiting) => dropOne(typed, isForGood, waiting, terminal));
}

/** `questions answer ID` */
export function answerQuestion(typed: string, terminal: Terminal): Promise<number> {
  return told(terminal, (waiting) => answerOne(typed, waiting, terminal));
}

/** `questions decline ID` */
export function declineQuestion(typed: string, note: string | null, terminal: Terminal): Promise<number> {
  return told(terminal, (waiting) => declineOne(typed, note, waiting, terminal));
}

/** `facts list`: what is kept, or with `isDropped` what a person did not want. */
export function listFacts(isDropped: boolean, isJson: boolean, terminal: Terminal): Promise<number> {
  return told(terminal, ({ home }) => listAll(isDropped, isJson, openFacts(home, terminal).facts, terminal));
}

/** `facts show ID`: one that was decided. */
export function showFact(typed: string, isJson: boolean, terminal: Terminal): Promise<number> {
  return told(terminal, (waiting) =>
    showDecided(typed, isJson, openFacts(waiting.home, terminal).facts, undecided(waiting), terminal),
  );
}

/** `facts forget ID`: what was dropped may be asked for again, so an agent must not do it for itself. */
export function forgetFact(typed: string, terminal: Terminal): Promise<number> {
  return told(terminal, async (waiting) => {
    const what = { refusal: "Nothing was forgotten", words: ["facts", "forget", typed] };
    const forgetting = { ...openFacts(waiting.home, terminal), waiting: undecided(waiting) };
    return (await refusedLasting(terminal, what)) ?? (await forgetOne(typed, forgetting, terminal));
  });
}

function undecided({ listing }: Waiting): readonly FactRequest[] {
  return listing.requests.filter((request) => request.kind === "fact");
}

function openFacts(home: Home, terminal: Terminal): KeptFacts {
  return factsIn(home, terminal, terminal.via);
}

async function told(terminal: Terminal, run: (waiting: Waiting) => Promise<number>): Promise<number> {
  let waiting: Waiting | null = null;
  try {
    waiting = openWaiting(terminal);
    return await run(waiting);
  } catch (error) {
    // Told here, where the class of our own errors is that of what throws them: each bundle has one.
    return reportError(error, terminal);
  } finally {
    waiting?.channel.close();
  }
}
