/** The verbs under `wisp gate`. A table of words; what they do is a program of its own, which is loaded then. */
import { type Arguments, wrongUsage } from "./arguments.js";
import type { Terminal } from "./terminal.js";
import type { Verb } from "./verb.js";
import { clientWords, entryScopes } from "./wiring/clients.js";

const shared = {
  synopsis: "NAME [--client CLIENT] [--scope SCOPE]",
  switches: [],
  options: ["client", "scope"],
  takesId: true,
  operand: "The name of the entry",
} as const;

const places = [
  `--client CLIENT  ${clientWords.join(", ")};`,
  "                 needed where NAME stands in the files of several",
  `--scope SCOPE    ${entryScopes.join(", ")}; the last is what Claude Code`,
  "                 keeps of this directory in ~/.claude.json. Needed where",
  "                 NAME stands in several of the files of one client",
];

const install: Verb = {
  ...shared,
  command: "wisp gate install",
  summary: "put a gate before a server of a client; only from a terminal",
  details: [
    "NAME is the entry in the client's configuration. It is shown what changes in",
    "the file, and written after a y. Off a terminal it is printed, and nothing",
    "is changed. What the file was is kept in backups/ of the home.",
    "A server that no preset is for can be started once, after a y: it lists its",
    "tools, and those that you tick pass without a question.",
    ...places,
  ],
  run: (given, terminal) => run("install", install, given, terminal),
};

const uninstall: Verb = {
  ...shared,
  command: "wisp gate uninstall",
  summary: "take that gate away; only from a terminal",
  details: [
    "The file becomes what it was, to the last byte, where nobody changed it",
    "since; else only the entry is undone.",
    ...places,
  ],
  run: (given, terminal) => run("uninstall", uninstall, given, terminal),
};

/** By the word that is typed after `wisp gate`; the help lists them in this order. */
export const gateVerbs: ReadonlyMap<string, Verb> = new Map(Object.entries({ install, uninstall }));

async function run(
  verb: "install" | "uninstall",
  shape: Verb,
  { id, options }: Arguments,
  terminal: Terminal,
): Promise<number> {
  const client = oneOf("client", clientWords, options, shape);
  const scope = oneOf("scope", entryScopes, options, shape);
  const { changeGate } = await import("./gate/main.js");
  return await changeGate({ verb, name: id, client, scope }, terminal);
}

function oneOf<const T extends string>(
  option: string,
  words: readonly T[],
  options: Arguments["options"],
  shape: Verb,
): T | null {
  const given = options.get(option);
  if (given === undefined) return null;
  const word = words.find((one) => one === given);
  if (word === undefined) throw wrongUsage(`--${option} is one of ${words.join(", ")}.`, shape);
  return word;
}
