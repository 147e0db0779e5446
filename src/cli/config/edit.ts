/** The text of `config.json` with one key changed; everything else stays as a person wrote it. */
import { applyEdits, type FormattingOptions, modify } from "jsonc-parser";
import type { KeyPath } from "./key.js";

/** With `value` at `path`; undefined takes the key out, which is there. `text` is JSON. */
export function edited(text: string, path: KeyPath, value: unknown): string {
  const edits = modify(text, [...path], value, { formattingOptions: formatOf(text) });
  return applyEdits(text, edits);
}

function formatOf(text: string): FormattingOptions {
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? "  ";
  const insertSpaces = !indent.startsWith("\t");
  return { insertSpaces, tabSize: insertSpaces ? indent.length : 1, eol: "\n" };
}
