/** The verbs under `wisp questions`. A table of words; what they do is a program of its own, which is loaded then. */
import { noteFrom, noteHelp } from "./note.js";
import { refusedElsewhere, refusedUnseen } from "./terminal-only.js";
import type { Verb } from "./verb.js";

const pending: Verb = {
  command: "wisp questions pending",
  synopsis: "[--json]",
  summary: "list what agents ask you, oldest first",
  details: ["--json          print one JSON object", "At most 20 questions of one session wait at a time."],
  switches: ["json"],
  options: [],
  takesId: false,
  async run({ switches }, terminal) {
    const { listPending } = await import("./kinds/main.js");
    return await listPending("question", switches.has("json"), terminal);
  },
};

/** Ends with 0 only when the receipt carries this very answer. */
export const answer: Verb = {
  command: "wisp questions answer",
  synopsis: "ID",
  summary: "show a question and read the answer to it; only from a terminal",
  details: ["An empty line answers nothing, and the question goes on waiting."],
  switches: [],
  options: [],
  takesId: true,
  operand: "The id of a question",
  async run({ id }, terminal) {
    if (!terminal.canAnswer) return refusedElsewhere(["questions", "answer", id], terminal);
    const unseen = refusedUnseen(["questions", "answer", id], terminal);
    if (unseen !== null) return unseen;
    const { answerQuestion } = await import("./kinds/main.js");
    return await answerQuestion(id, terminal);
  },
};

/** Ends with 0 only when the receipt carries this very answer. Never asks for confirmation. */
export const decline: Verb = {
  command: "wisp questions decline",
  synopsis: "ID [--note TEXT]",
  summary: "tell the agent that you do not answer; only from a terminal",
  details: [noteHelp],
  switches: [],
  options: ["note"],
  takesId: true,
  operand: "The id of a question",
  async run(given, terminal) {
    const note = noteFrom(given, decline);
    if (!terminal.canAnswer) return refusedElsewhere(["questions", "decline", given.id], terminal);
    const { declineQuestion } = await import("./kinds/main.js");
    return await declineQuestion(given.id, note, terminal);
  },
};

/** By the word that is typed after `wisp questions`; the help lists them in this order. */
export const questionVerbs: ReadonlyMap<string, Verb> = new Map(Object.entries({ pending, answer, decline }));
