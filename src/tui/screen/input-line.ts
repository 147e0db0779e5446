/** The line at the bottom: the part of what is typed around the caret. */
import { shownText } from "../../broker/index.js";
import { wide } from "../../face/wide.js";
import type { Line } from "../state/line.js";
import type { Model, Prompt } from "../state/model.js";
import { fitted, widthOf } from "./fold.js";
import type { InputLine } from "./screen.js";

/** For a screen of `columns`. */
export function inputOf({ box, prompt }: Pick<Model, "box" | "prompt">, columns: number): InputLine {
  if (box !== null) return typing("›", box, "a command, such as /help", columns);
  if (prompt !== null) return typing(promptOf(prompt), prompt.line, hintOf(prompt), columns);
  return { prompt: "›", text: "", caret: null, hint: fitted("/ for a command", columns - 4) };
}

function promptOf(prompt: Prompt): string {
  switch (prompt.kind) {
    case "note":
      return "note:";
    case "reason":
      return "reason:";
    case "word":
      return `type ${prompt.expected} to approve (${prompt.yes.scope}):`;
    case "answer":
      return "answer:";
    case "filter":
      return "filter:";
    default:
      return prompt satisfies never;
  }
}

function hintOf({ kind }: Prompt): string {
  if (kind === "answer") return "enter ends it, esc leaves it; nothing is sent yet";
  return kind === "filter" ? "enter with nothing shows everything" : "enter ends it, esc leaves it";
}

/** Between prompt and text one blank; behind the text the caret needs a column of its own. */
const besideText = 2;

function typing(asked: string, line: Line, hint: string, columns: number): InputLine {
  const prompt = fitted(asked, columns - besideText - 1);
  const room = Math.max(1, columns - widthOf(prompt) - besideText);
  // What a person typed or pasted can hold what a terminal obeys or nobody sees, as any text.
  const before = shownText(line.text.slice(0, line.caret));
  const behind = shownText(line.text.slice(line.caret));
  const start = tailOf(before, room);
  const text = start + headOf(behind, room - widthOf(start));
  return { prompt, text, caret: widthOf(start), hint: line.text === "" ? fitted(hint, room) : "" };
}

function tailOf(text: string, columns: number): string {
  return takenFrom([...wide.pieces(text.slice(-columns * mostUnitsPerColumn))].reverse(), columns)
    .reverse()
    .join("");
}

function headOf(text: string, columns: number): string {
  return takenFrom(wide.pieces(text.slice(0, columns * mostUnitsPerColumn)), columns).join("");
}

function takenFrom(pieces: readonly string[], columns: number): string[] {
  const taken: string[] = [];
  let used = 0;
  for (const piece of pieces) {
    used += widthOf(piece);
    if (used > columns) break;
    taken.push(piece);
  }
  return taken;
}

/** A base with its marks and joiners is a few units: no more than a line is measured. */
const mostUnitsPerColumn = 16;
