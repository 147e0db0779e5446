/** The verbs under `wisp policy`. A table of words; what they do is a program of its own, which is loaded then. */
import { isAbsolute, resolve } from "node:path";
import { wrongUsage } from "./arguments.js";
import type { Verb } from "./verb.js";

/** Ends with 0 whatever the verdict: it asks a question, and got its answer. */
export const check: Verb = {
  command: "wisp policy check",
  synopsis: "[--cwd DIR] -- 'LINE' | --tool NAME [--args JSON]",
  summary: "see what the rules say of a command or a call, without running it",
  details: [
    "-- 'LINE'       a line of bash; - reads it from standard input",
    "-- WORD WORD    several words run without a shell",
    "--cwd DIR       where it would run; this directory where it is left out",
    "--tool NAME     a call of a tool: mcp__server__tool, Read, Edit",
    "--args JSON     its arguments, one JSON object",
    "--preset NAME   of its server; without it the one that is called like it",
    "--json          print one JSON object",
  ],
  switches: ["json"],
  options: ["cwd", "tool", "args", "preset"],
  takesId: false,
  takesWords: true,
  async run({ switches, options, words }, terminal) {
    const tool = options.get("tool") ?? null;
    const written = options.get("args") ?? null;
    const preset = options.get("preset") ?? null;
    if (tool === null && preset !== null) throw wrongUsage("--preset needs --tool.", check);
    if (tool === null && written !== null) throw wrongUsage("--args needs --tool.", check);
    if (tool !== null && words.length > 0) throw wrongUsage("A tool and a command are two calls.", check);
    if (tool === null && words.length === 0) throw wrongUsage("Which command, or which tool?", check);
    const cwd = options.get("cwd") ?? terminal.directory;
    const directory = isAbsolute(cwd) ? resolve(cwd) : resolve(terminal.directory, cwd);
    const { checkCommand, checkTool } = await import("./policy/main.js");
    const isJson = switches.has("json");
    if (tool === null) return await checkCommand(words, directory, isJson, terminal);
    const call = { name: tool, arguments: argumentsIn(written ?? "{}"), directory, preset };
    return await checkTool(call, isJson, terminal);
  },
};

function argumentsIn(written: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(written);
  } catch {
    // JSON.parse throws a SyntaxError and nothing else.
    throw wrongUsage("--args is not JSON.", check);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw wrongUsage("--args is no JSON object.", check);
  }
  return value as Readonly<Record<string, unknown>>;
}

/** By the word that is typed after `wisp policy`; the help lists them in this order. */
export const policyVerbs: ReadonlyMap<string, Verb> = new Map(Object.entries({ check }));
