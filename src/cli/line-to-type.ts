/** What a person types next, where they are: a command of the shell, or in plain chat the slash command for it. */
import { wispLine } from "../face/quote.js";
import type { Terminal } from "./terminal.js";

/** The line for `wisp` with `words`. What plain chat has no slash command for is a command of the shell there, too. */
export function lineToType(
  { via, environment, isLeaving = false }: Typing,
  words: readonly string[],
): string {
  const slash = words.join(" ");
  return via === "chat" && !isLeaving && hasSlash.test(slash) ? `/${slash}` : wispLine(environment, words);
}

/** What decides where the next line is typed. */
type Typing = Pick<Terminal, "via" | "environment" | "isLeaving">;

/** The line that lists what waits. */
export function lineForList(terminal: Typing): string {
  return lineToType(terminal, ["approvals", "pending"]);
}

/** The line that looks for what is broken. */
export function lineForDoctor(terminal: Typing): string {
  return lineToType(terminal, ["doctor"]);
}

/** approve, pending and deny; keep and drop; answer and decline. Short, for it stands in the hot program. */
const hasSlash = /^(approvals [apd]|facts [kd]|questions [ad])/;
