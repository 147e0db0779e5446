/**
 * The arguments of the verbs that must start fast, read by hand. Strict: what is not known is refused, because a
 * flag that is dropped in silence might have been the one that mattered.
 */
import { nearest, WispError } from "../broker/index.js";

/** What a verb takes: its words are read by this, and its usage line is made of it. */
export interface Shape {
  /** What a person types before the arguments: `wisp approvals approve`. */
  readonly command: string;
  /** What may follow, for usage lines: `ID [--note TEXT]`. */
  readonly synopsis: string;
  /** Flags without a value, without their dashes. */
  readonly switches: readonly string[];
  /** Flags that take a value. */
  readonly options: readonly string[];
  readonly takesId: boolean;
  /** What the operand is, where it is no id of a request: `The key`. */
  readonly operand?: string;
  /** May the operand be left out? */
  readonly isIdOptional?: boolean;
  /** Any number of operands, in place of one. */
  readonly takesWords?: boolean;
}

/** What stood after a verb, once it is known to fit the verb's shape. Flags are named without their dashes. */
export interface Arguments {
  readonly switches: ReadonlySet<string>;
  readonly options: ReadonlyMap<string, string>;
  /** The operand; "" where the verb takes none. */
  readonly id: string;
  /** All operands, of a verb that takes any number. */
  readonly words: readonly string[];
  /** `--help` was among them: nothing else is to be done. */
  readonly isHelp: boolean;
}

/** Throws invalid_input, naming the flag or operand and how the verb is used. */
export function parseArguments(words: readonly string[], shape: Shape): Arguments {
  const switches = new Set<string>();
  const options = new Map<string, string>();
  const operands: string[] = [];
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") {
      operands.push(...rest);
      break;
    }
    if (word === "--help" || word === "-h") return { switches, options, id: "", words: [], isHelp: true };
    if (!word.startsWith("-") || word === "-") operands.push(word);
    else readFlag(word, rest, { switches, options }, shape);
  }
  if (shape.takesWords === true) return { switches, options, id: "", words: operands, isHelp: false };
  const [id = "", extra] = operands;
  if (extra !== undefined || (operands.length > 0 && !shape.takesId)) {
    throw wrongUsage(`One argument too many: ${extra ?? id}`, shape);
  }
  if (shape.takesId && id === "" && shape.isIdOptional !== true) {
    throw wrongUsage(`Which one? ${shape.operand ?? "The id of a request"} is missing.`, shape);
  }
  return { switches, options, id, words: [], isHelp: false };
}

/** A refusal of what was typed after the verb. */
export function wrongUsage(what: string, shape: Shape): WispError {
  return new WispError("invalid_input", what, {
    why: `Usage: ${shape.command} ${shape.synopsis}`.trimEnd(),
    fix: `${shape.command} --help`,
  });
}

function readFlag(
  word: string,
  rest: string[],
  read: { readonly switches: Set<string>; readonly options: Map<string, string> },
  shape: Shape,
): void {
  const equals = word.indexOf("=");
  const flag = equals === -1 ? word : word.slice(0, equals);
  const attached = equals === -1 ? null : word.slice(equals + 1);
  const name = flag.startsWith("--") ? flag.slice(2) : "";
  if (shape.switches.includes(name)) {
    if (attached !== null) throw wrongUsage(`${flag} takes no value.`, shape);
    read.switches.add(name);
    return;
  }
  if (!shape.options.includes(name)) throw unknownFlag(flag, shape);
  if (read.options.has(name)) throw wrongUsage(`${flag} stands twice.`, shape);
  const value = attached ?? rest.shift();
  if (value === undefined) throw wrongUsage(`${flag} needs a value.`, shape);
  read.options.set(name, value);
}

function unknownFlag(flag: string, shape: Shape): WispError {
  const near = nearest(flag.replace(/^-+/, ""), [...shape.switches, ...shape.options, "help"]);
  const hint = near === null ? "" : ` Did you mean --${near}?`;
  return wrongUsage(`There is no flag ${flag}.${hint}`, shape);
}
