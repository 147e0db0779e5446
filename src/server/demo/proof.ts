/** Commands that leave a proof of having run, and how the proof is read. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../../broker/index.js";

/**
 * Adds a line to `proof` in its directory: harmless, the same on every system, and the file says how often it ran.
 * The name is ours and needs no quotes.
 */
export function provingCommand(proof: string): readonly string[] {
  return ["sh", "-c", `echo "it ran" | tee -a ${proof}`];
}

/** How many lines stand in `proof`; null when it does not exist. */
export function proofLines(directory: string, proof: string): number | null {
  try {
    return readFileSync(join(directory, proof), "utf8").split("\n").length - 1;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return null;
    throw error;
  }
}

/** `first.txt holds 1 line` */
export function proofText(proof: string, lines: number | null): string {
  return lines === null
    ? `${proof} does not exist`
    : `${proof} holds ${lines} ${lines === 1 ? "line" : "lines"}`;
}
