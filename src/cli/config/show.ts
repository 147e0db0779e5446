/** `wisp config get`, `list` and `path`: what is in force, and where it comes from. Makes nothing. */
import {
  asciiJson,
  configKeys,
  configNotices,
  configPath,
  defaultSettings,
  isSealedKey,
  type LoadedConfig,
  loadConfig,
  readConfigText,
  shownText,
  WispError,
} from "../../broker/index.js";
import { wispLine } from "../../face/quote.js";
import { wrappedWords } from "../../face/wrap.js";
import { exits } from "../exits.js";
import { jsonLine } from "../json.js";
import { complain, exitOfError, reportError } from "../report.js";
import type { Terminal } from "../terminal.js";
import { type KeyPath, keyText, parseKey, valueAt } from "./key.js";
import { configPlace } from "./place.js";

/** Where a value in force comes from; `strictest`: the file cannot be used, or nobody can say what was accepted. */
type Source = "default" | "config.json" | "accepted" | "strictest";

interface Row {
  readonly key: string;
  readonly value: unknown;
  readonly source: Source;
  /** What the file says instead, which waits to be accepted; undefined where nothing waits. */
  readonly waits: unknown;
}

/** Prints the bare value of the key that was typed, as JSON where it is no text. */
export function getKey(typed: string, isJson: boolean, terminal: Terminal): number {
  const path = parseKey(typed);
  const config = configOf(terminal);
  const row = rowOf(path, config, writtenIn(terminal));
  if (row.value === undefined) {
    throw new WispError("invalid_input", `${shownText(keyText(path))} is not set.`, {
      fix: wispLine(terminal.environment, ["config", "list"]),
    });
  }
  const bare = typeof row.value === "string" ? shownText(row.value) : asciiJson(row.value);
  terminal.out.write(isJson ? jsonLine({ schemaVersion: 1, ...published(row) }) : `${bare}\n`);
  return ended(config, terminal);
}

/** Prints every key with its value in force and where that comes from. */
export function listKeys(isJson: boolean, terminal: Terminal): number {
  const config = configOf(terminal);
  const written = writtenIn(terminal);
  const rows = pathsOf(config).map((path) => rowOf(path, config, written));
  const { out } = terminal;
  if (isJson) {
    const fault = config.fault === null ? null : shownText(config.fault.message);
    const distrust = config.distrust === null ? null : shownText(config.distrust);
    out.write(jsonLine({ schemaVersion: 1, fault, distrust, keys: rows.map(published) }));
  } else {
    const cells = rows.map((row) =>
      [row.key, asciiJson(row.value), sourceText(row, terminal)].map(shownText),
    );
    if (out.isTerminal) out.write(padded(cells, out.columns));
    else out.write(cells.map((row) => `${row.join("\t")}\n`).join(""));
  }
  return ended(config, terminal);
}

/** Prints where the file is, whether or not it is there. */
export function printPath(isJson: boolean, terminal: Terminal): number {
  const path = shownText(configPath(configPlace(terminal).home.path));
  terminal.out.write(isJson ? jsonLine({ schemaVersion: 1, path }) : `${path}\n`);
  return exits.done;
}

function configOf(terminal: Terminal): LoadedConfig {
  const { home, keys } = configPlace(terminal);
  return loadConfig(home.path, keys);
}

/** What stands in the file; nothing where it cannot be read, which the fault says. */
function writtenIn(terminal: Terminal): unknown {
  try {
    return JSON.parse(readConfigText(configPlace(terminal).home.path) ?? "{}");
  } catch {
    // Then nothing of it is in force either.
    return {};
  }
}

/** Those that hold values, and those of each client. */
function pathsOf({ settings }: LoadedConfig): readonly KeyPath[] {
  const all = configKeys();
  const leaves = all.filter((key) => !key.includes("NAME") && !all.some((one) => one.startsWith(`${key}.`)));
  const clients = Object.entries(settings.approval.clients).flatMap(([name, client]) =>
    Object.keys(client).map((key) => ["approval", "clients", name, key]),
  );
  return [...leaves.map((key) => key.split(".")), ...clients];
}

function rowOf(path: KeyPath, { settings, fault, waiting, distrust }: LoadedConfig, written: unknown): Row {
  const key = keyText(path);
  const value = valueAt(settings, path);
  const sealed = [key, path.slice(0, 2).join(".")].find(isSealedKey);
  const kept = waiting.find((one) => one.key === sealed);
  if (fault !== null) {
    const isDefault = asciiJson(value ?? null) === asciiJson(valueAt(defaultSettings, path) ?? null);
    return { key, value, source: isDefault ? "default" : "strictest", waits: undefined };
  }
  if (kept !== undefined) {
    const file = key === kept.key ? kept.file : valueAt(kept.file, path.slice(2));
    return { key, value, source: distrust === null ? "accepted" : "strictest", waits: file ?? null };
  }
  const source = valueAt(written, path) === undefined ? "default" : "config.json";
  return { key, value, source, waits: undefined };
}

function published({ key, value, source, waits }: Row): object {
  return { key, value, source, ...(waits === undefined ? {} : { waits }) };
}

function sourceText({ source, waits }: Row, { environment }: Pick<Terminal, "environment">): string {
  const accept = wispLine(environment, ["accept"]);
  return waits === undefined ? source : `${source}; ${asciiJson(waits)} waits for: ${accept}`;
}

/** Where a value comes from goes on below itself; a command to paste is its last word, and may be longer. */
function padded(rows: readonly (readonly string[])[], columns: number): string {
  const [keys, values] = [0, 1].map((column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  const start = (keys ?? 0) + (values ?? 0) + 4;
  const measured = { of: ({ length }: string) => length, pieces: (text: string) => text.split("") };
  return rows
    .map(([key = "", value = "", source = ""]) => {
      const rowsOfSource = wrappedWords(source, Math.max(leastRoom, columns - start), measured);
      const below = `\n${" ".repeat(start)}`;
      return `${key.padEnd(keys ?? 0)}  ${value.padEnd(values ?? 0)}  ${rowsOfSource.join(below)}\n`;
    })
    .join("");
}

const leastRoom = 16;

/** What is printed is in force all the same; whoever only reads the exit code must not take the file for good. */
function ended({ fault, distrust }: LoadedConfig, terminal: Terminal): number {
  if (distrust !== null) {
    const accept = wispLine(terminal.environment, ["accept"]);
    for (const line of configNotices({ distrust, waiting: [] }, accept)) {
      complain(terminal, { what: shownText(line), why: null, fix: null });
    }
  }
  if (fault === null) return exits.done;
  reportError(fault, terminal);
  return exitOfError(fault.code);
}
