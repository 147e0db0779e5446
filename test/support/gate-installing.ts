/** A person's directory and a project with the configuration of clients in them, and the verbs that change it. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { type Home, homeAt } from "../../src/broker/channel/home.js";
import { changeGate, type GateChangeParts } from "../../src/cli/gate/main.js";
import type { ToolsProgram } from "../../src/cli/gate/triage.js";
import type { ClientWord, EntryScope } from "../../src/cli/wiring/clients.js";
import type { ClientFile } from "./client-files.js";
import { type FakeTerminalOptions, fakeTerminal } from "./fake-terminal.js";
import { startOn } from "./run-verb.js";
import { tempDirectory } from "./temp-home.js";
import { atTerminal } from "./witnesses.js";

/** Where all of it lies. */
export interface Desk {
  readonly home: Home;
  readonly person: string;
  readonly project: string;
}

export function desk(): Desk {
  const directory = tempDirectory();
  const made = (name: string): string => {
    const path = join(directory, name);
    mkdirSync(path);
    return path;
  };
  return {
    home: homeAt(join(directory, "wisp"), false),
    person: made("person"),
    project: made("project"),
  };
}

/** Writes `file` where its client looks for it, with `text` in place of its own; returns its path. */
export function put(
  { person, project }: Desk,
  file: Pick<ClientFile, "at" | "path" | "text">,
  mode = 0o600,
): string {
  const path = join(file.at === "home" ? person : project, ...file.path);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, file.text);
  chmodSync(path, mode);
  return path;
}

export const textAt = (path: string): string => readFileSync(path, "utf8");

/** What is typed behind the verb. */
export interface Typed {
  readonly client?: ClientWord;
  readonly scope?: EntryScope;
  /** What the person types at the question. */
  readonly answer?: string | null;
}

/** The program of this process, which is not on PATH. */
export const ownProgram = { execPath: "/opt/node", script: "/opt/wisp/dist/wisp.cjs" } as const;

/** A server that a preset is for: it is not looked at. */
const known: ToolsProgram = {
  presetNameOf: () => "filesystem",
  lookAtServer: () => Promise.reject(new Error("It is not looked at.")),
};

/** Starts it; the terminal is handed back before it ended. */
export function start(
  at: Desk,
  verb: "install" | "uninstall",
  name: string,
  { client, scope }: Typed = {},
  options: FakeTerminalOptions & GateChangeParts = {},
) {
  const { look = () => atTerminal, program = ownProgram, environment, ...others } = options;
  const { tools = async () => known } = options;
  const fake = fakeTerminal({
    home: at.home,
    // What is told is looked for as it was written, and not as a narrow terminal breaks it.
    columns: 500,
    environment: { HOME: at.person, PATH: "/nowhere", ...environment },
    ...others,
  });
  const terminal = Object.assign(fake, { directory: at.project });
  const what = { verb, name, client: client ?? null, scope: scope ?? null };
  return startOn(terminal, (one) => changeGate(what, one, { look, program, tools }));
}

/** The same to its end, with a person who types y. */
export async function run(
  at: Desk,
  verb: "install" | "uninstall",
  name: string,
  typed: Typed = {},
  options: FakeTerminalOptions & GateChangeParts = {},
) {
  const { terminal, ended } = start(at, verb, name, typed, options);
  terminal.type(typed.answer === undefined ? "y" : typed.answer);
  return { ...(await ended), asked: terminal.questions.length };
}

/** A file of a client with one server. */
export const entry = (name: string, rest = "") =>
  `{"mcpServers": {${JSON.stringify(name)}: {"command": "npx", "args": ["server"]${rest}}}}\n`;

/** After whatever was refused: the same entry, once nothing stands against it. */
export async function stillWorks(at: Desk, path: string, name = "fs"): Promise<void> {
  const text = textAt(path);
  expect(await run(at, "install", name)).toMatchObject({ exit: 0, asked: 1 });
  expect(await run(at, "uninstall", name)).toMatchObject({ exit: 0, asked: 1 });
  expect(textAt(path)).toBe(text);
}
