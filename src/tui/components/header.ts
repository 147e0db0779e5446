/** The first row: what waits, and whether the channel is well. */
import type { Header } from "../screen/screen.js";
import { columnsOf, within } from "./cells.js";
import { type Look, painted } from "./look.js";

/** `wisp  1 of 3 waiting · ~/.wisp ok`, in at most `columns`. What is wrong has a mark and stands out. */
export function headerLine({ waits, health, isHealthy }: Header, columns: number, look: Look): string {
  const start = within(waits === "" ? "wisp" : `wisp  ${waits}`, columns);
  if (health === "") return painted(start, "strong", look);
  const end = within(`${isHealthy ? " · " : " ! "}${health}`, Math.max(0, columns - columnsOf(start)));
  return painted(start, "strong", look) + painted(end, isHealthy ? "plain" : "high", look);
}
