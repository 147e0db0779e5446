/** What stands on a window without room for a card: what waits, and what to do about it. Nothing is answered here. */
import { type Model, requestOf } from "../state/model.js";
import { clipped, fitted, foldedWords } from "./fold.js";
import { inputOf } from "./input-line.js";
import { drawable } from "./measures.js";
import { whatText } from "./queue-rows.js";
import type { Screen } from "./screen.js";

/** A plain list; where something is typed, its line stays. */
export function tinyScreen(model: Model): Screen {
  const size = drawable(model.size);
  const isTyping = (model.box !== null || model.prompt !== null) && size.rows > 1;
  const room = size.rows - (isTyping ? 1 : 0);
  return {
    size,
    header: { waits: "", health: "", isHealthy: true },
    body: {
      kind: "tiny",
      lines: linesOf(model, size.columns, room).map((line) => fitted(line, size.columns)),
    },
    notices: [],
    input: isTyping ? inputOf(model, size.columns) : null,
    keys: [],
  };
}

function linesOf({ inbox, queue }: Model, columns: number, rows: number): readonly string[] {
  const { health, requests } = inbox;
  if (health.kind === "unusable") {
    const { what, fix } = health.complaint;
    const lines = [what, ...(fix === null ? [] : [fix])].flatMap((text) => foldedWords(text, columns));
    return clipped(lines, rows, columns);
  }
  if (requests.length === 0) return ["Nothing waits."].slice(0, rows);
  const head = `${requests.length.toLocaleString("en-US")} waiting.`;
  const tail = tailOf(columns, rows);
  const room = Math.max(0, rows - 1 - tail.length);
  // No row stays empty while others are hidden.
  const first = Math.max(0, Math.min(queue.selected, queue.entries.length - room));
  const listed = queue.entries.slice(first, first + room).map((entry) => {
    const request = requestOf(entry);
    return request === null ? "many of one thread" : `${request.id} ${whatText(request)}`;
  });
  return [head, ...listed, ...tail].slice(0, rows);
}

/** The way out, whole, where there are rows for it: half of a command helps nobody. */
function tailOf(columns: number, rows: number): readonly string[] {
  const ways = ["Enlarge this window, or: wisp approvals pending", "wisp approvals pending", "Enlarge me."];
  const folds = ways.map((text) => foldedWords(text, columns));
  return folds.find((lines) => lines.length <= rows / 2) ?? [];
}
