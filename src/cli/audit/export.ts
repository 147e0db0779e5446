/** `wisp audit export`: every record with every field, for other programs. */
import { auditEvents, eventParts, type Home, type LogRecord, shownOnce } from "../../broker/index.js";
import { exits } from "../exits.js";
import { jsonLine } from "../json.js";
import type { Terminal } from "../terminal.js";
import { readLog } from "./reading.js";
import { objectIn, type Values } from "./values.js";

/** How it is printed. */
export type ExportForm = "csv" | "json";

/** Prints what was written from `since` (epoch milliseconds; null for all) on. */
export function exportLog(home: Home, form: ExportForm, since: number | null, terminal: Terminal): number {
  const { out } = terminal;
  if (form === "json") {
    let isFirst = true;
    out.write('{"schemaVersion":1,"records":[');
    readLog(home, since, terminal, ({ whole }) => {
      out.write(`${isFirst ? "" : ","}${jsonLine(whole).trimEnd()}`);
      isFirst = false;
    });
    out.write("]}\n");
    return exits.done;
  }
  out.write(csvLine(csvColumns));
  readLog(home, since, terminal, (record) => out.write(csvLine(csvCells(record))));
  return exits.done;
}

/** What every line has. */
const lineKeys = ["v", "seq", "ts", "prev", "kind", "session", "call", "head_fault", "mac", "hash"] as const;

/** The fields of all kinds, each with its part: `details.outcome`. */
const fieldColumns: readonly string[] = eventParts.flatMap((part) => {
  const names = Object.values(auditEvents).flatMap((kind) => Object.keys(kind[part]));
  return [...new Set(names)].sort().map((name) => `${part}.${name}`);
});

/** `other` has what no column is for, as JSON: of another version, or of a stranger. */
export const csvColumns: readonly string[] = ["time", ...lineKeys, ...fieldColumns, "other"];

function csvCells({ at, whole }: LogRecord): readonly string[] {
  const fields = fieldColumns.map((column) => {
    const [part = "", name = ""] = column.split(".");
    return cellOf(objectIn(whole, part)[name]);
  });
  const others = othersIn(whole);
  const other = Object.keys(others).length === 0 ? "" : jsonLine(others).trimEnd();
  return [new Date(at).toISOString(), ...lineKeys.map((key) => cellOf(whole[key])), ...fields, other];
}

function othersIn(whole: Values): Values {
  const known = new Set<string>(fieldColumns);
  const parts = eventParts.flatMap((part) => {
    const others = Object.entries(objectIn(whole, part)).filter(([name]) => !known.has(`${part}.${name}`));
    return others.length === 0 ? [] : [[part, Object.fromEntries(others)] as const];
  });
  const keys = new Set<string>([...lineKeys, ...eventParts]);
  return Object.fromEntries([...Object.entries(whole).filter(([key]) => !keys.has(key)), ...parts]);
}

/** A text as it is, safe to print; anything else as JSON. */
function cellOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? shownOnce(value) : jsonLine(value).trimEnd();
}

/** RFC 4180. What a spreadsheet would take for a formula gets a quote before it, so that nothing is run. */
function csvLine(cells: readonly string[]): string {
  const quoted = cells.map((cell) => {
    const plain = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
    return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
  });
  return `${quoted.join(",")}\r\n`;
}
