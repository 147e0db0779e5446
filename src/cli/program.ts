/** The whole command line: help, and the commands that may take a moment to start. Loaded only for those. */

import { Command, CommanderError, Help } from "commander";
import { shownText, version, WispError } from "../broker/index.js";
import { auditVerbs } from "./audit-verbs.js";
import type { DoctorOptions } from "./commands/doctor.js";
import { overview } from "./commands/overview.js";
import { completablesOf, readsItself } from "./completables.js";
import { configVerbs } from "./config-verbs.js";
import { exits } from "./exits.js";
import { factVerbs } from "./fact-verbs.js";
import { gateVerbs } from "./gate-verbs.js";
import {
  acceptDetails,
  afterHelp,
  completionDetails,
  elsewhere,
  exitCodes,
  gateDetails,
  gateSynopsis,
  mcpDetails,
} from "./help-texts.js";
import { keptVerbs } from "./kept-verbs.js";
import { policyVerbs } from "./policy-verbs.js";
import { questionVerbs } from "./question-verbs.js";
import { complain, reportError } from "./report.js";
import type { Terminal } from "./terminal.js";
import { runVerb, type Verb } from "./verb.js";
import { approvalVerbs } from "./verbs.js";

/** Runs `wisp` with `words`, which are no verb of the fast table, and returns the exit code. */
export async function runProgram(words: readonly string[], terminal: Terminal): Promise<number> {
  let exit: number = exits.done;
  const program = commandTree(words, terminal, (code) => {
    exit = code;
  });
  if (words.length === 0) {
    if (terminal.canAnswer && terminal.out.isTerminal) return await overview(terminal);
    terminal.err.write(program.helpInformation());
    return exits.usage;
  }
  const topic = unknownTopic(words, program);
  if (topic !== null) {
    complain(terminal, { what: shownText(`There is no command ${topic}.`), why: null, fix: "wisp --help" });
    return exits.usage;
  }
  try {
    await program.parseAsync([...words], { from: "user" });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) return reportUsage(error, helpLine(words, program), terminal);
    // Told here, where the class of our own errors is that of the commands: each bundle has one.
    return reportError(error, terminal);
  }
}

/** The command whose help is asked for and which there is not, or null: commander prints another help for it. */
function unknownTopic(
  [first = "", second = "", third = ""]: readonly string[],
  program: Command,
): string | null {
  const group = program.commands.find((command) => command.name() === first);
  const [within, topic] = first === "help" ? [program, second] : second === "help" ? [group, third] : [];
  if (within === undefined || within.commands.length === 0 || topic === undefined) return null;
  const isKnown = topic === "" || topic === "help" || topic.startsWith("-");
  return isKnown || within.commands.some((command) => command.name() === topic) ? null : topic;
}

type Finish = (exit: number) => void;

function commandTree(words: readonly string[], terminal: Terminal, finish: Finish): Command {
  const program = new Command("wisp");
  described(program, "put a person in front of what an AI agent does", "COMMAND", terminal)
    .version(version, "--version", "print the version")
    .enablePositionalOptions()
    .helpCommand(...helpCommand)
    .addHelpText("after", afterHelp);
  const mcp = described(
    program.command("mcp"),
    "serve an agent over stdio; its client starts this",
    "[--hold SECONDS]",
    terminal,
  )
    .allowExcessArguments()
    .allowUnknownOption()
    .addHelpText("after", mcpDetails)
    .action(async (_options: unknown, { args }: Command) => {
      const { main } = await import("../server/mcp/main.js");
      finish(await main(args));
    });
  described(
    program.command("accept"),
    "look at what is looser in your files, and let it count; only from a terminal",
    "",
    terminal,
  )
    .addHelpText("after", acceptDetails)
    .action(async () => {
      const { accept } = await import("./accept/main.js");
      finish(await accept(terminal));
    });
  readsItself(mcp, { switches: [], options: ["hold"], takesId: false });
  addGate(program.command("gate"), { words, terminal, finish });
  const grown = { words, terminal, finish };
  addGroup(program.command("approvals"), approvalsGroup, grown);
  addGroup(program.command("facts"), factsGroup, grown);
  addGroup(program.command("questions"), questionsGroup, grown);
  addGroup(program.command("config"), configGroup, grown);
  addGroup(program.command("audit"), auditGroup, grown);
  addGroup(program.command("policy"), policyGroup, grown);
  described(
    program.command("doctor"),
    "look whether asking works here, and repair it",
    "[--json] [--fix] [--ping]",
    terminal,
  )
    .option("--json", "print one JSON object")
    .option("--fix", "do the repairs that cannot hurt; only from a terminal")
    .option("--ping", "show one notification and ask whether you see it; only from a terminal")
    .action(async (options: DoctorOptions) => {
      const { doctor } = await import("./commands/doctor.js");
      finish(await doctor(options, terminal));
    });
  addChat(program.command("chat"), terminal, finish);
  const tui = described(program.command("tui"), "open the full-screen face", "[--screen-reader]", terminal)
    .helpOption(false)
    .allowExcessArguments()
    .allowUnknownOption()
    .action(async (_options: unknown, { args }: Command) => {
      const { main } = await import("../tui/main.js");
      finish(await main(args));
    });
  readsItself(tui, { switches: ["screen-reader"], options: [], takesId: false });
  described(program.command("demo"), "see the whole trip, on a throw-away home", "", terminal)
    .allowExcessArguments()
    .allowUnknownOption()
    .action(async (_options: unknown, { args }: Command) => {
      const { main } = await import("../server/demo/main.js");
      finish(await main(args));
    });
  addCompletion(program, grown);
  return program;
}

function addGate(gate: Command, growing: Growing): void {
  const { words, terminal, finish } = growing;
  described(
    gate,
    "put the person in front of another MCP server; its client starts this",
    gateSynopsis,
    terminal,
  )
    .allowExcessArguments()
    .allowUnknownOption()
    .passThroughOptions()
    .helpCommand(...helpCommand)
    .addHelpText("after", gateDetails)
    .action(async () => {
      const { main } = await import("../server/gate/main.js");
      finish(await main(words.slice(words.indexOf("gate") + 1)));
    });
  readsItself(gate, {
    switches: ["read-only"],
    options: ["name", "preset", "url", "bearer-env", "bearer-file", "hold"],
    takesId: false,
  });
  addVerbs(gate, gateVerbs, growing);
}

function addCompletion(program: Command, { terminal, finish }: Growing): void {
  described(
    program.command("completion"),
    "print a script that completes commands and ids with TAB",
    "bash|zsh|fish|powershell",
    terminal,
  )
    .allowExcessArguments()
    .addHelpText("after", completionDetails)
    .action(async (_options: unknown, { args }: Command) => {
      const { printScript } = await import("./completion/main.js");
      finish(printScript(args, terminal));
    });
  described(program.command("complete", { hidden: true }), "for those scripts", "-- WORDS", terminal)
    .helpOption(false)
    .allowExcessArguments()
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (_options: unknown, { args }: Command) => {
      const { complete } = await import("./completion/main.js");
      finish(complete(args, completablesOf(program), terminal));
    });
}

function addChat(chat: Command, terminal: Terminal, finish: Finish): void {
  described(chat, "see and answer in plain lines, or let a program do it", "--plain | --json", terminal)
    .option("--plain", "lines with slash commands, for any terminal")
    .option("--json", "JSON Lines, for other front ends (docs/chat.md)")
    .action(
      async ({ plain = false, json = false }: { readonly plain?: boolean; readonly json?: boolean }) => {
        if (plain === json) {
          throw new WispError("invalid_input", "One of --plain and --json is needed.", {
            fix: "wisp chat --help",
          });
        }
        const { chat: start } = await import("./chat/main.js");
        finish(await start(plain ? "plain" : "json", terminal));
      },
    );
}

/** Commands that are about one kind of request. */
interface Group {
  readonly summary: string;
  readonly verbs: Iterable<readonly [string, Verb]>;
  /** What stands at the end of its help. */
  readonly after: string;
}

interface Growing {
  /** All that stood behind `wisp`. */
  readonly words: readonly string[];
  readonly terminal: Terminal;
  readonly finish: Finish;
}

function addGroup(group: Command, { summary, verbs, after }: Group, growing: Growing): void {
  described(group, summary, "VERB", growing.terminal);
  group.helpCommand(...helpCommand).addHelpText("after", after);
  addVerbs(group, verbs, growing);
}

function addVerbs(group: Command, verbs: Group["verbs"], { words, terminal, finish }: Growing): void {
  for (const [name, verb] of verbs) {
    // The verb reads its own words, as it does without this tree; here it only stands in the help.
    const child = described(group.command(name), verb.summary, verb.synopsis, terminal)
      .helpOption(false)
      .allowExcessArguments()
      .allowUnknownOption()
      .passThroughOptions()
      .addHelpText("after", `\n${verb.details.map((line) => `  ${line}`).join("\n")}`)
      .action(async () => finish(await runVerb(verb, behind(words, group.name(), name), terminal)));
    readsItself(child, verb);
  }
}

/** What stands behind a verb as it was typed: of commander's words the first `--` is gone, and what follows it is no flag. */
function behind(words: readonly string[], group: string, name: string): readonly string[] {
  return words.slice(words.indexOf(name, words.indexOf(group) + 1) + 1);
}

/** Names and describes `command`, and has it talk through `terminal` and never end the process. */
function described(command: Command, description: string, synopsis: string, { out, err }: Terminal): Command {
  return command
    .description(description)
    .usage(synopsis === "" ? " " : synopsis)
    .configureHelp({
      // Operands alone: with every flag there would be no room to say what it does.
      subcommandTerm: (one) => `${one.name()} ${one.usage().replace(/ ?\[.*$/, "")}`.trimEnd(),
      commandUsage: (one) => new Help().commandUsage(one).trimEnd(),
    })
    .helpOption("-h, --help", "print this help")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => out.write(text),
      writeErr: (text) => err.write(text),
      outputError: () => {},
      getOutHelpWidth: () => (out.isTerminal ? out.columns : helpColumns),
      getErrHelpWidth: () => (err.isTerminal ? err.columns : helpColumns),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
}

const helpCommand = ["help [COMMAND]", "print the help of a command"] as const;

const helpColumns = 80;

/** The help that tells of what was typed: that of its group, where it began with one. */
function helpLine([first = ""]: readonly string[], program: Command): string {
  const group = program.commands.find((command) => command.name() === first && command.commands.length > 0);
  return group === undefined ? "wisp --help" : `wisp ${first} --help`;
}

function reportUsage(error: CommanderError, fix: string, terminal: Terminal): number {
  // Help that was asked for, and the version, end the parsing as well.
  if (error.exitCode === 0) return exits.done;
  // A group without a command has shown its help already.
  if (error.code === "commander.help") return exits.usage;
  const [said = "", hint = ""] = error.message.replace(/^error: /, "").split("\n");
  // In the words of the verbs that read their own.
  const what = said
    .replace(/^unknown (option|command) '(.*)'$/s, (_, kind, name) => `There is no ${nameOf(kind)} ${name}.`)
    .replace(/^too many arguments.*$/s, "One argument too many.");
  complain(terminal, {
    what: shownText(what),
    why: hint === "" ? null : shownText(hint.replace(/^\(|\)$/g, "")),
    fix,
  });
  return exits.usage;
}

function nameOf(kind: string): string {
  return kind === "option" ? "flag" : "command";
}

const configGroup: Group = {
  summary: "see and change the configuration",
  verbs: configVerbs,
  after: `
Exit codes: wisp approvals --help`,
};

const approvalsGroup: Group = {
  summary: "see what waits for a person, and answer it",
  verbs: [...approvalVerbs, ...keptVerbs],
  after: exitCodes,
};

const factsGroup: Group = {
  summary: "keep what agents want to remember, or drop it",
  verbs: factVerbs,
  after: elsewhere,
};

const auditGroup: Group = {
  summary: "see what was decided, and whether the record holds",
  verbs: auditVerbs,
  after: `
They read and change nothing, and need no terminal. The record itself is in
docs/audit.md.
Exit codes: wisp approvals --help; verify ends with 1 where it does not hold.`,
};

const policyGroup: Group = {
  summary: "see what the rules say of a call",
  verbs: policyVerbs,
  after: `
Rules stand in policy.json of the home, and in .wisp/policy.json of a project,
which can only make stricter (docs/policy.md).`,
};

const questionsGroup: Group = {
  summary: "answer what agents ask you",
  verbs: questionVerbs,
  after: elsewhere,
};
