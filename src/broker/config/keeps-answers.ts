/** One key of `config.json`, for faces that must not wait for the whole of it to be read and judged. */
import { join } from "node:path";
import { readJson } from "../files/read.js";

/**
 * Does the file in `home` say, with `questions.keepSeconds` 0, that no answer is kept that no call is there for? False where
 * it says nothing of the kind, or cannot be read. Makes nothing and never throws.
 */
export function keepsNoAnswers(home: string): boolean {
  const read = readJson(join(home, "config.json"), 64 * 1024);
  return read.kind === "value" && (read.value as Loose | null)?.questions?.keepSeconds === 0;
}

/** As much of it as may be there: of a value of another shape nothing is found. */
interface Loose {
  readonly questions?: { readonly keepSeconds?: unknown } | null;
}
