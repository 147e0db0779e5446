/** A call of the 2026 era whose dialog is with the client. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type MemoryServer,
  type MemoryServerOptions,
  readAtOnce,
  startInMemory,
  withProgress,
} from "./mcp-server.js";
import { answerDialog, askedIn2026, type Leg, type ShownDialog } from "./modern-client.js";

/** A command that leaves a line for every time it runs. */
export const counting = { argv: ["sh", "-c", "echo ran >> runs"] };

/** How often it ran in this directory. */
export function runsIn(work: string): number {
  const path = join(work, "runs");
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0;
}

export const decline = { action: "decline" };
export const cancel = { action: "cancel" };
/** The form is accepted with the option that denies. */
export const denial = { action: "accept", content: { decision: "deny" } };

export interface Asked extends MemoryServer {
  readonly dialog: ShownDialog;
  /** Answers the dialog in the next leg, which wants progress, and returns that leg. */
  readonly reply: (reply: unknown, dialog?: ShownDialog) => number;
}

/** Calls and waits for the dialog. The leg that brought it wanted no progress. */
export async function asked(
  options: MemoryServerOptions = { config: readAtOnce },
  { args = counting, ...who }: Partial<Leg> = {},
): Promise<Asked> {
  const server = await startInMemory(options);
  const leg = { args, ...who };
  const dialog = await askedIn2026(server.client, leg);
  const next = { ...leg, ...withProgress };
  return {
    ...server,
    dialog,
    reply: (reply, shown = dialog) => answerDialog(server.client, next, shown, reply),
  };
}
