/**
 * The least server that keeps the promise: watches, checks what the answer is bound to, makes one record durable,
 * writes a receipt and the call's result. It looks at no owner, schema, hash or duplicate key.
 */
import { fdatasyncSync, mkdirSync, openSync, readFileSync, watch, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Asked } from "../support/asking.js";
import { hear, tell, workerOptions } from "../support/worker.js";

export interface LeastServerOptions {
  readonly home: string;
}

const { home } = workerOptions<LeastServerOptions>();
const pending = join(home, "pending");
mkdirSync(pending, { recursive: true });
const log = openSync(join(home, "log.jsonl"), "a");
let waiting: Asked | null = null;

watch(pending, (_event, name) => {
  if (waiting === null || name !== `${waiting.id}.answer.json`) return;
  const answer = JSON.parse(readFileSync(join(pending, name), "utf8"));
  if (answer.id !== waiting.id || answer.binding !== waiting.binding) return;
  writeSync(log, `${JSON.stringify({ kind: "decided", id: answer.id, decision: answer.decision })}\n`);
  fdatasyncSync(log);
  writeFileSync(
    join(home, `${answer.id}.receipt.json`),
    JSON.stringify({ id: answer.id, outcome: "answered" }),
  );
  process.stdout.write(`${JSON.stringify({ id: answer.id, name: "approved" })}\n`);
  waiting = null;
});

hear<Asked>((asked) => {
  waiting = asked;
  writeFileSync(join(pending, `${asked.id}.request.json`), JSON.stringify(asked));
  tell({ type: "asked" });
});

tell({ type: "ready" });
