/** A yes that was not taken because of who gave it. */
import type { Request, Shortfall } from "../broker/index.js";
import { insufficientComplaint } from "../face/shortfall.js";
import { refuse } from "./report.js";
import type { Terminal } from "./terminal.js";

/** Tells it and returns the exit code. */
export function refusedInsufficient(request: Request, shortfall: Shortfall, terminal: Terminal): number {
  return refuse(
    "assurance_insufficient",
    terminal,
    insufficientComplaint(request, shortfall, terminal.environment),
  );
}
