/** The least that hears of a request: watches the directory that it is given, reads and parses what comes, and tells when. */
import { readFileSync, watch } from "node:fs";
import { join } from "node:path";
import { hear, nowUs, tell, workerOptions } from "../support/worker.js";

/** `at` as `nowUs`. */
export interface FromLeastReader {
  readonly id: string;
  readonly at: number;
}

const { directory } = workerOptions<{ readonly directory: string }>();
const told = new Set<string>();

watch(directory, (_event, name) => {
  if (name === null || name.startsWith(".") || !name.endsWith(".request.json") || told.has(name)) return;
  let text: string;
  try {
    text = readFileSync(join(directory, name), "utf8");
  } catch {
    // It was cleared away: the event is that of its end.
    return;
  }
  const { id } = JSON.parse(text);
  const at = nowUs();
  told.add(name);
  tell({ id, at } satisfies FromLeastReader);
});

hear<never>(() => {});
tell({ id: "ready", at: nowUs() } satisfies FromLeastReader);
