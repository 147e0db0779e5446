/** The first row: what waits, and whether the channel is well. */

import { fitted, widthOf } from "../screen/fold.js";
import type { Header } from "../screen/screen.js";
import { type Look, painted } from "./look.js";

/** `wisp  1 of 3 waiting · ~/.wisp ok`, in at most `columns`. What is wrong has a mark and stands out. */
export function headerLine({ waits, health, isHealthy }: Header, columns: number, look: Look): string {
  const start = fitted(waits === "" ? "wisp" : `wisp  ${waits}`, columns);
  if (health === "") return start;
  const end = fitted(`${isHealthy ? " · " : " ! "}${health}`, Math.max(0, columns - widthOf(start)));
  return start + painted(end, isHealthy ? "plain" : "high", look);
}
