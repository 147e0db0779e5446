/**
 * What reads the audit log. A program of its own: shapes, hashes and the whole of a log are nothing for a hot verb. It
 * writes nothing and needs no terminal. Each function tells what went wrong and returns the exit code.
 */
import { type Home, isHomeMade, judgeHome, resolveHome, WispError } from "../../broker/index.js";
import { reportError } from "../report.js";
import type { Terminal } from "../terminal.js";
import { type ExportForm, exportLog } from "./export.js";
import { nearestOutcome, outcomeNames, showDecisions, type Wanted } from "./show.js";
import { sinceOf } from "./since.js";
import { showStats } from "./stats.js";
import { verifyHome } from "./verify.js";

/** `audit verify`: ends with 1 where the log does not hold. */
export function verifyAudit(isJson: boolean, terminal: Terminal): Promise<number> {
  return told(terminal, (home) => verifyHome(home, isJson, terminal));
}

/** As typed; null for what was left out. */
export interface TypedWanted extends Omit<Wanted, "since"> {
  readonly since: string | null;
}

/** `audit show`: one line a decision. */
export function showAudit(typed: TypedWanted, isJson: boolean, terminal: Terminal): Promise<number> {
  return told(terminal, (home) => {
    const { outcome } = typed;
    if (outcome !== null && !outcomeNames.includes(outcome)) throw unknownOutcome(outcome);
    const wanted = { ...typed, since: sinceIn(typed.since, terminal, "show") };
    return showDecisions(home, wanted, isJson, terminal);
  });
}

/** `audit export`: every record with every field. */
export function exportAudit(form: ExportForm, since: string | null, terminal: Terminal): Promise<number> {
  return told(terminal, (home) => exportLog(home, form, sinceIn(since, terminal, "export"), terminal));
}

/** `audit stats`: counts of asks and answers. */
export function statsAudit(since: string | null, isJson: boolean, terminal: Terminal): Promise<number> {
  return told(terminal, (home) => showStats(home, sinceIn(since, terminal, "stats"), isJson, terminal));
}

function sinceIn(typed: string | null, { clock }: Terminal, verb: string): number | null {
  if (typed === null) return null;
  const since = sinceOf(typed, clock.now());
  if (since !== null) return since;
  throw new WispError("invalid_input", `--since takes no ${JSON.stringify(typed)}.`, {
    why: "It takes 2h, 3d, 2026-11-30 or an ISO time.",
    fix: `wisp audit ${verb} --help`,
  });
}

function unknownOutcome(typed: string): WispError {
  const near = nearestOutcome(typed);
  const hint = near === null ? "" : ` Did you mean ${near}?`;
  return new WispError("invalid_input", `There is no outcome ${JSON.stringify(typed)}.${hint}`, {
    why: "Outcomes are those of docs/errors.md, refused and passed.",
    fix: "wisp audit show --help",
  });
}

async function told(terminal: Terminal, run: (home: Home) => number | Promise<number>): Promise<number> {
  try {
    const home = resolveHome(terminal.environment, terminal.directory);
    if (isHomeMade(home)) judgeHome(home);
    return await run(home);
  } catch (error) {
    // Told here, where the class of our own errors is that of what throws them: each bundle has one.
    return reportError(error, terminal);
  }
}
