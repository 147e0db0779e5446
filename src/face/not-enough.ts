/** That answers came which were not enough, in the words of a person. Everything here is safe to print. */
import { type Shortfall, shortfalls } from "../broker/index.js";

/** `3 answers were not enough: 2 × from within a client's own processes; …`; null where none fell short. */
export function notEnoughText(found: readonly Shortfall[]): string | null {
  if (found.length === 0) return null;
  const head = found.length === 1 ? "1 answer was" : `${found.length} answers were`;
  return `${head} not enough: ${whyNotEnough(found)}`;
}

/** What was wanting of them, each once. */
export function whyNotEnough(found: readonly Shortfall[]): string {
  return shortfalls
    .map((one) => ({ one, count: found.filter((other) => other === one).length }))
    .filter(({ count }) => count > 0)
    .map(({ one, count }) => `${count === 1 ? "" : `${count} × `}${wordsOf(one)}`)
    .join("; ");
}

function wordsOf(shortfall: Shortfall): string {
  switch (shortfall) {
    case "within_client":
      return "from within a client's own processes";
    case "terminal_held":
      return "from a terminal that a client's process holds";
    case "no_terminal":
      return "standard input was not the controlling terminal";
    case "process_unseen":
      return "its server could not see the process";
    case "process_gone":
      return "no living process behind it";
    default:
      return shortfall satisfies never;
  }
}
