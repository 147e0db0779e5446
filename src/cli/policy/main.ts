/**
 * `wisp policy check`: the verdict that a server would give, by the same code over the same files. Each function tells what
 * went wrong and returns the exit code.
 */
import { isUtf8 } from "node:buffer";
import { readSync } from "node:fs";
import {
  absolutePathOf,
  homeDirectoryOf,
  type Judged,
  judgedCommand,
  programOf,
  searchedInLine,
  singleQuoted,
  WispError,
} from "../../broker/index.js";
import { wispLine } from "../../face/quote.js";
import { exits } from "../exits.js";
import { jsonLine } from "../json.js";
import { reportError } from "../report.js";
import { talked } from "../talk.js";
import type { Terminal } from "../terminal.js";
import { type AtGate, judgeAtGate, presetNameOf } from "./at-gate.js";
import { directoryAt } from "./directory.js";
import { entryOf } from "./entry.js";
import { gateLine } from "./gate-line.js";
import { judgeHere } from "./judge-here.js";
import { standingGate } from "./standing-gate.js";
import { textOf } from "./text.js";

/** Several words run without a shell; one is a line of bash, and `-` stands for one on standard input. */
export function checkCommand(
  words: readonly string[],
  wanted: string,
  isJson: boolean,
  terminal: Terminal,
): Promise<number> {
  return told(terminal, isJson, () => {
    const directory = directoryAt(wanted);
    const [first = "", second] = words;
    const argv = second === undefined ? null : words;
    const line = argv === null ? (first === "-" ? inputLine() : first) : argv.map(singleQuoted).join(" ");
    const command = { argv, line, directory };
    const { environment } = terminal;
    const small = { ...environment, PATH: absolutePathOf(environment) };
    return judgedCommand(command, programOf(command, small));
  });
}

/** A call of a tool, as it was typed. */
export interface CheckedTool {
  /** As rules name it. */
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly directory: string;
  /** The preset of the gate; null where none was named. */
  readonly preset: string | null;
}

/** A call of a tool: what a gate of the name of its server would say, where it is one of a server. */
export function checkTool(
  { name, arguments: given, directory, preset }: CheckedTool,
  isJson: boolean,
  terminal: Terminal,
): Promise<number> {
  return told(terminal, isJson, async () => {
    const [, server = null, tool = name] = /^mcp__(.+?)__(.+)$/s.exec(name) ?? [];
    if (preset !== null && server === null) {
      throw new WispError(
        "invalid_input",
        `--preset is about the tool of a server, mcp__SERVER__TOOL, not ${name}.`,
      );
    }
    if (server === null && (!/^[A-Za-z][\w-]*$/.test(name) || /^mcp_/i.test(name))) {
      throw new WispError("invalid_input", `No rule is about a tool called ${JSON.stringify(name)}.`, {
        why: "A tool of a server is mcp__SERVER__TOOL, SERVER the name of its gate; one of a client is a word, as Read or Edit.",
        fix: "wisp policy check --help",
      });
    }
    const call = { kind: "tool", server, tool, arguments: given, directory: directoryAt(directory) } as const;
    if (server === null) return call;
    const gate = preset === null ? await standingGate(server, call.directory, terminal) : null;
    return { ...call, server, preset, gate };
  });
}

async function told(
  terminal: Terminal,
  isJson: boolean,
  judged: () => Judged | AtGate | Promise<Judged | AtGate>,
): Promise<number> {
  try {
    const call = await judged();
    const { verdict, isFloored } =
      "preset" in call
        ? judgeAtGate(call, terminal)
        : { verdict: judgeHere(call, terminal), isFloored: false };
    const { out, environment } = terminal;
    const lineFor = (words: readonly string[]): string => wispLine(environment, words);
    const searched =
      call.kind === "command" && verdict.isComplex
        ? searchedInLine(call.line, homeDirectoryOf(environment)).commands.map(({ text }) => text)
        : [];
    const isOfServer = call.kind === "tool" && call.server !== null;
    const atGate = "preset" in call ? call : null;
    const isPresetKnown = atGate !== null && (atGate.preset !== null || atGate.gate !== null);
    const gate = atGate === null ? null : gateLine(atGate);
    const text = isJson
      ? jsonLine({ ...entryOf(verdict), ...(atGate === null ? {} : { preset: presetNameOf(atGate) }) })
      : textOf(verdict, { searched, gate, isFloored, isOfServer, isPresetKnown, lineFor });
    out.write(isJson ? text : talked(out, text));
    return exits.done;
  } catch (error) {
    // Told here, where the class of our own errors is that of what throws them: each bundle has one.
    return reportError(error, terminal);
  }
}

/** Longer lines are never run. */
const longestInput = 128 * 1024;

function inputLine(): string {
  const bytes = Buffer.alloc(longestInput + 1);
  let length = 0;
  // What never ends is not read to its end.
  for (let read = -1; read !== 0 && length < bytes.length; length += read) {
    read = readSync(0, bytes, length, bytes.length - length, null);
  }
  if (length > longestInput) {
    throw new WispError("invalid_input", `The line on standard input is longer than ${longestInput} bytes.`);
  }
  const line = bytes.subarray(0, length);
  // Else what is judged is another line than the one that was given.
  if (!isUtf8(line)) throw new WispError("invalid_input", "Standard input is not UTF-8.");
  return line.toString("utf8").replace(/\n$/, "");
}
