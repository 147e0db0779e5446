/** What a simple server would do: look for the answer's file every 200 ms. */
import { readFileSync } from "node:fs";
import { hear, nowUs, tell, workerOptions } from "../support/worker.js";

export interface PollingServerOptions {
  /** The answer's file. */
  readonly path: string;
}

const { path } = workerOptions<PollingServerOptions>();

hear<{ readonly wait: true }>(() => {
  const timer = setInterval(() => {
    let text: string;
    try {
      text = readFileSync(path, "utf8");
    } catch {
      // Not there yet.
      return;
    }
    clearInterval(timer);
    JSON.parse(text);
    tell({ at: nowUs() });
  }, 200);
  tell({ waiting: true });
});
