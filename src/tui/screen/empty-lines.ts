/** What is said where no card is open: that nothing waits, that something does not open yet, or that nothing can be seen. */
import { besides } from "../../face/besides.js";
import type { Complaint } from "../../face/complaint.js";
import { isDemoHome } from "../../face/demo-home.js";
import type { Model } from "../state/model.js";
import { clipped, foldedWords } from "./fold.js";
import { drawable, framedTextColumns, frameRows } from "./measures.js";

/** As many lines as fit into a frame of `rows` rows. `isTyping` keeps what waits from opening. */
export function emptyLines(model: Model, rows: number, isTyping: boolean): readonly string[] {
  const columns = framedTextColumns(drawable(model.size).columns);
  const lines = textOf(model, isTyping).flatMap((line) => foldedWords(line, columns));
  return clipped(lines, Math.max(0, rows - frameRows), columns);
}

function textOf({ inbox, queue, place }: Model, isTyping: boolean): readonly string[] {
  const { health, requests, newer, unreadable, files } = inbox;
  if (health.kind === "unusable") return complaintLines(health.complaint);
  if (isTyping && queue.entries.length > 0) {
    return [`${queue.entries.length} waiting. It opens when what you type is run or given up (Esc).`];
  }
  if (queue.filter !== "") return ["Nothing that waits matches the filter.", "Esc shows everything again."];
  const strange = besides({ requests, newer, unreadable }, []).trimEnd().split("\n").slice(1);
  return [
    newer.length === 0 ? "Nothing waits for you." : "Nothing waits that this wisp can answer.",
    `Listening to ${place.home}.`,
    ...strange,
    ...files,
    isDemoHome(place.home)
      ? inDemo
      : "h shows how requests ended. New here? Run  wisp demo  in another terminal.",
  ];
}

/** It may have been opened by the demo itself, or beside it. */
const inDemo =
  "h shows how requests ended. q leaves: the demo goes on in the terminal that it was started in.";

function complaintLines({ what, why, fix }: Complaint): readonly string[] {
  return [what, ...(why === null ? [] : [why]), ...(fix === null ? [] : [fix])];
}
