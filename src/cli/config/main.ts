/**
 * What a person does with the configuration. A program of its own: the schema, seals and what edits JSON take longer to load
 * than a hot verb to run. Each function tells what went wrong and returns the exit code.
 */
import type { LastingLook } from "../lasting.js";
import { reportError } from "../report.js";
import type { Terminal } from "../terminal.js";
import { type Change, changeKey } from "./change.js";
import { getKey, listKeys, printPath } from "./show.js";

/** What was typed after `wisp config`. */
export type ConfigVerb =
  | { readonly verb: "get"; readonly key: string; readonly isJson: boolean }
  | { readonly verb: "list"; readonly isJson: boolean }
  | { readonly verb: "path"; readonly isJson: boolean }
  | { readonly verb: "change"; readonly change: Change };

/** Does it. `look` stands for the look at this process in a test. */
export async function runConfig(what: ConfigVerb, terminal: Terminal, look?: LastingLook): Promise<number> {
  try {
    switch (what.verb) {
      case "get":
        return getKey(what.key, what.isJson, terminal);
      case "list":
        return listKeys(what.isJson, terminal);
      case "path":
        return printPath(what.isJson, terminal);
      case "change":
        return await changeKey(what.change, terminal, look);
      default:
        return what satisfies never;
    }
  } catch (error) {
    // Told here, where the class of our own errors is that of what throws them: each bundle has one.
    return reportError(error, terminal);
  }
}
