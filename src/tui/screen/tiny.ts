/** What stands on a window without room for a card: what waits, and what to do about it. Nothing is answered here. */
import { type Model, requestOf } from "../state/model.js";
import { fitted } from "./fold.js";
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
    body: { kind: "tiny", lines: linesOf(model, room).map((line) => fitted(line, size.columns)) },
    notices: [],
    input: isTyping ? inputOf(model, size.columns) : null,
    keys: [],
  };
}

function linesOf({ inbox, queue }: Model, rows: number): readonly string[] {
  if (inbox.health.kind === "unusable") return [inbox.health.complaint.what].slice(0, rows);
  const count = inbox.requests.length;
  const head = count === 0 ? "Nothing waits." : `${count} waiting.`;
  const tail = count === 0 ? [] : ["Enlarge this window, or: wisp approvals pending"];
  const room = Math.max(0, rows - 1 - tail.length);
  const listed = queue.entries.slice(queue.selected, queue.selected + room).map((entry) => {
    const request = requestOf(entry);
    return request === null ? "many of one thread" : `${request.id} ${whatText(request)}`;
  });
  return [head, ...listed, ...tail].slice(0, rows);
}
