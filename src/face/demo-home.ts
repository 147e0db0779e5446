/** The home of a demo, as a face that was opened on it may find it. */
import { basename, dirname } from "node:path";
import { demoPrefix } from "../broker/index.js";

/** Is it the home of a demo that is at `path`? By its name alone: it says what a face advises, and nothing else. */
export function isDemoHome(path: string): boolean {
  return basename(path) === "home" && basename(dirname(path)).startsWith(demoPrefix);
}
