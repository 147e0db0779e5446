/** One key of `config.json`, for faces that must not wait for the whole of it to be read and judged. */
import { join } from "node:path";
import { readJson } from "../files/read.js";
import * as s from "../request/shape.js";

/**
 * For how long an answer is kept that comes while no call is there, in seconds, as the file in `home` has it under
 * `questions.keepSeconds`; null where it says nothing, or nothing that can be used. Makes nothing and never throws.
 */
export function configuredKeepSeconds(home: string): number | null {
  const read = readJson(join(home, "config.json"), 64 * 1024);
  if (read.kind !== "value") return null;
  const questions = valueIn(read.value, "questions");
  const parsed = seconds.safeParse(valueIn(questions, "keepSeconds"));
  return parsed.success ? parsed.data : null;
}

const seconds = s.integer({ least: 0 });

function valueIn(value: unknown, key: string): unknown {
  const parsed = s.anyObject.safeParse(value);
  return parsed.success && Object.hasOwn(parsed.data, key) ? parsed.data[key] : undefined;
}
