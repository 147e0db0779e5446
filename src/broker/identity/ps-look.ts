/** What `ps` tells of all processes at once, where there is no /proc. */
import { parsePsTable, psColumns } from "./ps-table.js";
import type { ProcessFacts, ProcessLook } from "./source.js";
import { runTool } from "./system-tools.js";

/** A look for which `ps` runs once, when it is needed. */
export function lookAtPs(): ProcessLook {
  return lookByTool(() => runTool("ps", ["-A", "-o", psColumns]));
}

/**
 * A look at the table that `print` gives, asked for once and when it is needed: all answers are of one moment. A table
 * does not tell what a process reads from, nor which files it holds open. Throws when there is no table.
 */
export function lookByTool(print: () => string | null): ProcessLook {
  let table: ReadonlyMap<number, ProcessFacts> | null = null;
  const processes = (): ReadonlyMap<number, ProcessFacts> => {
    if (table !== null) return table;
    const text = print();
    if (text === null) throw new Error("ps does not tell which processes there are.");
    table = new Map(parsePsTable(text).map((one) => [one.pid, one]));
    return table;
  };
  return {
    read: (pid) => processes().get(pid) ?? null,
    input: ({ terminal }) => ({ kind: terminal === null ? "other" : "untold" }),
    isWithinOther: () => false,
    all: () => [...processes().values()],
    masters: () => null,
  };
}
