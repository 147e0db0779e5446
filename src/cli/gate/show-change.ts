/** What would change in a client's file, line by line, for a person. Every text of the file is escaped. */
import { structuredPatch } from "diff";
import { shownText } from "../../broker/index.js";
import type { Output } from "../terminal.js";
import { type Change, whereOf } from "./change.js";
import { signedLines } from "./signed-lines.js";

/** Several lines, safe to print: the file, then the lines that go and come, with two around them. One that goes on is marked. */
export async function changeText(
  { entry, text }: Change,
  shape: Pick<Output, "isTerminal" | "columns">,
): Promise<string> {
  const { hunks } = structuredPatch("", "", entry.file.text, text, undefined, undefined, { context: around });
  const shown = hunks.flatMap(({ oldStart, lines }) => [
    `@@ line ${oldStart} @@\n`,
    ...lines.map((line) => signedLines(line.charAt(0), lineText(line.slice(1)), shape)),
  ]);
  return [`${whereOf(entry)}\n`, ...(await Promise.all(shown))].join("");
}

/** More would show what has nothing to do with it: keys and passwords often stand beside. */
const around = 2;

/** A file that is one long line would fill the screen, and hide what was asked. */
const longest = 400;

function lineText(line: string): string {
  const [indent = ""] = /^[ \t]{0,40}/.exec(line) ?? [];
  const bare = line.slice(indent.length).replace(/\r$/, "");
  const more = bare.length - longest;
  const text = more <= 0 ? shownText(bare) : `${shownText(bare.slice(0, longest))}… (${more} more)`;
  // Of what is indented nothing is hidden by it: it is kept as it stands there, and a tab is no wider than two.
  return `${indent.replaceAll("\t", "  ")}${text}`;
}
