/** What is judged, taken apart into what rules are held against. */
import { commandOfWords, commandsOf, hasFileGlob, type SimpleCommand } from "./command-line.js";
import { withoutHarmless } from "./global-options.js";
import type { CommandSubject, ExactCommand, Subject, ToolSubject } from "./match.js";
import { isBelow, type PathLook, type PathPlace } from "./path-place.js";
import { separator } from "./pattern.js";
import { runningOptions } from "./running-options.js";
import { type Searched, searchedInLine, searchedInWords } from "./searched.js";
import { shellWordIn } from "./shell-words.js";
import type { Judged, JudgedCommand, JudgedTool } from "./verdict.js";

/** One command of a line, or the whole call. */
export interface Part {
  /** As it is shown: the words quoted, the line, or the name of the tool. */
  readonly text: string;
  readonly subject: Subject;
}

/** A command that is the whole of a call. */
export interface OnlyCommand {
  readonly command: SimpleCommand;
  readonly subject: CommandSubject;
}

/** All of a call. */
export interface Parts {
  /** Never empty. */
  readonly parts: readonly Part[];
  /** The one command that it is; null for several, a complex line and a tool. */
  readonly only: OnlyCommand | null;
  readonly isComplex: boolean;
  /** What of a line works inside the shell that runs what follows; null for none, for an argv and a complex line. */
  readonly shellWord: string | null;
  /** Does bash put names of files into a line, that nobody sees before? */
  readonly hasFileGlob: boolean;
  /** It holds more commands than deny and ask rules are searched in. */
  readonly isCut: () => boolean;
}

/** What this machine says of paths and homes. */
export interface Surroundings {
  readonly homeDirectory: string;
  readonly look: PathLook;
}

/** Takes `judged` apart. */
export function partsOf(judged: Judged, around: Surroundings): Parts {
  return judged.kind === "command" ? partsOfCommand(judged, around) : partsOfTool(judged, around);
}

/** The name of a tool as rules write it. */
export function toolName({ server, tool }: Pick<JudgedTool, "server" | "tool">): string {
  return server === null ? tool : `mcp__${server}__${tool}`;
}

function partsOfCommand(judged: JudgedCommand, around: Surroundings): Parts {
  const { argv, line, directory } = judged;
  const place = { directory, ...around };
  const commands = argv === null ? commandsOf(line, around.homeDirectory) : [commandOfWords(argv)];
  if (commands === null) {
    const searched = once(() => searchedInLine(line, around.homeDirectory));
    const subject = subjectOf(null, searched, place);
    return {
      parts: [{ text: line, subject }],
      only: null,
      isComplex: true,
      shellWord: null,
      hasFileGlob: false,
      isCut: () => searched().isCut,
    };
  }
  const all = commands.map((command) => ({
    text: command.text,
    command,
    subject: subjectOf(
      command,
      once(() => searchedInWords(command.words, around.homeDirectory)),
      place,
    ),
  }));
  const [first = null, second] = all;
  return {
    parts: all,
    only: second === undefined ? first : null,
    isComplex: false,
    shellWord: argv === null ? shellWordIn(commands) : null,
    hasFileGlob: commands.some(hasFileGlob),
    isCut: () => all.some(({ subject }) => subject.searched().isCut),
  };
}

function subjectOf(
  command: SimpleCommand | null,
  searched: () => Searched,
  place: PathPlace,
): CommandSubject {
  return {
    kind: "command",
    exact: command === null ? [] : exactOf(command.active, place),
    text: command === null ? null : command.words.join(" "),
    searched,
    arguments: {
      directory: place.directory,
      argv: command?.active ?? searched().commands.map(({ text }) => text),
    },
    place,
  };
}

function exactOf(words: readonly string[], { directory, look }: PathPlace): readonly ExactCommand[] {
  const plainer = withoutHarmless(words, directory, (path) => {
    const [root, real] = [look.real(directory), look.real(path)];
    return root !== null && real !== null && isBelow(real, root);
  });
  return [words, ...(plainer === null ? [] : [plainer])].map((one) => ({
    text: one.join(separator),
    running: once(() => runningOptions(one)),
  }));
}

function once<Value>(count: () => Value): () => Value {
  let counted: { readonly value: Value } | null = null;
  return () => {
    counted ??= { value: count() };
    return counted.value;
  };
}

function partsOfTool(judged: JudgedTool, around: Surroundings): Parts {
  const { server, tool, directory } = judged;
  const place = { directory, ...around };
  const subject: ToolSubject = { kind: "tool", server, tool, arguments: judged.arguments, place };
  const text = toolName(judged);
  return {
    parts: [{ text, subject }],
    only: null,
    isComplex: false,
    shellWord: null,
    hasFileGlob: false,
    isCut: () => false,
  };
}
