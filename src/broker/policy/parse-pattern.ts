/** The text of a rule, in the language that people know from Claude Code. */
import { nearest } from "../request/nearest.js";
import { parseCommandPattern } from "./command-pattern.js";
import type { Glob } from "./glob.js";
import { type PathGlob, parsePathGlob } from "./path-glob.js";
import type { Pattern } from "./pattern.js";

/** A pattern, or what is wrong with the text and what was probably meant. */
export type ParsedPattern =
  | { readonly kind: "pattern"; readonly pattern: Pattern }
  | { readonly kind: "wrong"; readonly why: string };

/** Where a rule stands decides what it may say. */
export interface PatternPlace {
  readonly homeDirectory: string;
  /** Does the rule only ever make stricter? Then it may name every server at once. */
  readonly isStricter: boolean;
  /** The directory of the project whose file it is; null in the person's own. */
  readonly project: string | null;
}

/** More than any rule that a person reads; the exact rule of a long command is shorter still. */
export const longestRule = 8_192;

/** Tools of Claude Code that take a path: `Read(//etc/**)`. */
export const fileTools = [
  "Read",
  "Edit",
  "Write",
  "MultiEdit",
  "NotebookEdit",
  "NotebookRead",
  "Glob",
  "Grep",
  "LS",
] as const;

const otherTools = ["Bash", "BashOutput", "KillShell", "Task", "TodoWrite", "WebFetch", "WebSearch", "Skill"];
const toolNames: readonly string[] = [...fileTools, ...otherTools];

/** Reads the text of a rule. */
export function parsePattern(text: string, place: PatternPlace): ParsedPattern {
  if (text.length > longestRule) return wrong(`it is longer than ${longestRule} characters`);
  if (text.trim() !== text) return wrong("blanks stand around it");
  if (text === "") return wrong("it is empty, so it matches nothing");
  if (text === "*") return wrong("it names no tool; for every command: Bash");
  if (text.startsWith("mcp__")) return serverPattern(text, place);
  // No tool of a client is called so: whoever misses an underline must not write a rule that matches nothing.
  if (/^mcp_/i.test(text)) return wrong(`${text.replace(/^mcp_+/i, "mcp__")} was probably meant`);
  const called = /^([A-Za-z][A-Za-z0-9_-]*)(?:\((.*)\))?$/s.exec(text);
  if (called === null) return notARule(text);
  const [, name = "", body] = called;
  if (name === "Bash") return body === undefined ? everyCommand(place) : commandPattern(body, place);
  if (!toolNames.includes(name)) {
    const meant = nearest(name, toolNames) ?? (name.toLowerCase() === "shell" ? "Bash" : null);
    if (meant !== null) return wrong(`there is no tool of this name; ${meant} was probably meant`);
  }
  if (body === undefined) return { kind: "pattern", pattern: { kind: "tool", server: null, tool: [name] } };
  if (!isFileTool(name)) return takesNone(name);
  return pathPattern(name, body, place);
}

/** Whoever meant another name must not write a rule that matches nothing. */
function takesNone(name: string): ParsedPattern {
  const patterned = ["Bash", ...fileTools].join(", ");
  return wrong(
    `${name} takes no pattern (${patterned} do); of a tool ${name} say what it is about under when`,
  );
}

function isFileTool(name: string): boolean {
  return (fileTools as readonly string[]).includes(name);
}

function notARule(text: string): ParsedPattern {
  if (/^[A-Za-z]+\(/.test(text)) return wrong("its ) is missing");
  const [word = ""] = text.split(/\s/, 1);
  return wrong(
    /^[a-z]/.test(word)
      ? `no rule; Bash(${text}) was probably meant`
      : "no rule: Bash(…), mcp__server__tool or a tool",
  );
}

function everyCommand({ homeDirectory }: PatternPlace): ParsedPattern {
  return parseCommandPattern("*", homeDirectory);
}

function commandPattern(body: string, { homeDirectory }: PatternPlace): ParsedPattern {
  return parseCommandPattern(body, homeDirectory);
}

/** `mcp__server`, `mcp__server__tool`; a server's name holds no `__`. */
function serverPattern(text: string, { isStricter }: PatternPlace): ParsedPattern {
  const [server = "", ...rest] = text.slice("mcp__".length).split("__");
  const tool = rest.length === 0 ? "*" : rest.join("__");
  if (/[()]/.test(text)) return wrong("tools of servers take no pattern; what it is about stands under when");
  if (/[^A-Za-z0-9_.*-]/.test(text)) return wrong("a name of a server or tool holds no such character");
  if (server === "") return wrong("it names no server");
  if (tool === "") return wrong(`it names no tool; for all of them: mcp__${server}`);
  // A server is known by the name that our configuration gives it; a rule for any of them trusts those to come.
  if (server.includes("*") && !isStricter) return wrong("an allow rule names its server in full");
  return { kind: "pattern", pattern: { kind: "tool", server: globOf(server), tool: globOf(tool) } };
}

function globOf(text: string): Glob {
  return text.split(/\*+/);
}

/** `//` is the root, `~/` the home, `/` the project whose file it is, and all else the directory of the call. */
function pathPattern(tool: string, body: string, { project }: PatternPlace): ParsedPattern {
  if (body === "") return wrong(`it matches nothing; for every path: ${tool}`);
  const [base, text] = baseOf(body, project);
  if (base === null) return wrong(`/ alone is no beginning here; ${tool}(/${body}) was probably meant`);
  if (body.startsWith("~") && base !== "home") return wrong("homes of others cannot be named by ~");
  const parsed = parsePathGlob(base, text);
  if (parsed.kind === "wrong") return parsed;
  return { kind: "pattern", pattern: { kind: "path", tool, path: parsed.glob } };
}

function baseOf(body: string, project: string | null): readonly [PathGlob["base"] | null, string] {
  if (body.startsWith("//")) return ["root", body.slice(2)];
  if (body.startsWith("~/")) return ["home", body.slice(2)];
  if (!body.startsWith("/")) return ["call", body];
  if (project === null) return [null, ""];
  return ["root", `${project.slice(1).replace(/[*?[{\\]/g, "\\$&")}${body}`];
}

function wrong(why: string): ParsedPattern {
  return { kind: "wrong", why };
}
