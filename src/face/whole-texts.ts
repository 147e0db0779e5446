/** What a command request runs, whole: texts that were too long for it come from the spool. */
import { type ApprovalRequest, type Home, readSpooled, type Text } from "../broker/index.js";

/** The two texts of a command as its server filed them: of any length, and not escaped. */
export interface WholeTexts {
  /** The whole line that runs. */
  readonly line: string;
  /** The part of it that needs approval. */
  readonly command: string;
}

/**
 * The texts of a command, or null when one is missing from the spool or is not the one that was filed: what cannot be
 * shown whole cannot be approved. Other subjects hold all of their texts; for them both are "".
 */
export function wholeTextsOf({ subject }: ApprovalRequest, home: Home): WholeTexts | null {
  if (subject.type !== "command") return { line: "", command: "" };
  const line = whole(subject.line, home);
  const command = whole(subject.command, home);
  return line === null || command === null ? null : { line, command };
}

function whole(text: Text, home: Home): string | null {
  return typeof text === "string" ? text : readSpooled(home, text);
}
