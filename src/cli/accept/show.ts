/**
 * The changes as a person reads them: first what is tighter, and last, beside the question, what waits. Every text of a file is
 * escaped: it may have been written to mislead.
 */
import { type AcceptChange, type AcceptProposal, shownText } from "../../broker/index.js";
import type { Widths } from "../../face/wrap.js";
import { wrappedWords } from "../../face/wrap.js";
import { countText, effectWords, isWaiting } from "./proposals.js";

/** Each file twice at most, a line for a change and what belongs to it below. No line holds a newline. */
export function linesOfAll(changed: readonly AcceptProposal[]): readonly string[] {
  return [...changed.flatMap((one) => section(one, false)), ...changed.flatMap((one) => section(one, true))];
}

/** What of one file waits, or what does not; nothing where there is none. */
function section(proposal: AcceptProposal, isOfWaiting: boolean): readonly string[] {
  const { name, value } = proposal;
  const changes = proposal.changes.filter((change) => isWaiting(change) === isOfWaiting);
  const distrust = isOfWaiting ? proposal.distrust : null;
  if (changes.length === 0 && distrust === null) return [];
  return [
    `${name}: ${countText([{ changes, distrust }])}${value === null ? "; the file is gone" : ""}`,
    ...(distrust === null ? [] : [`  ! its accepted copy counts for nothing: ${shownText(distrust)}`]),
    ...changes.flatMap((change) => linesOf(name, change)),
  ];
}

function linesOf(name: string, change: AcceptChange): readonly string[] {
  const { sign, list, text, details, line, effect } = change;
  const place = line === null ? "accepted before" : `${name}:${line}`;
  const mark = effect === "looser" ? looserMark : effectWords[effect];
  const unusual = unusualIn([text, ...details].join(""));
  return [
    `  ${sign} ${mark} ${list} ${shownText(text)}  (${place})`,
    ...details.map((one) => `      ${shownText(one)}`),
    ...(unusual.length === 0 ? [] : [`      not plain ASCII: ${unusual.join(" ")}`]),
  ];
}

/** As it stands in a line, for whoever paints it. */
export const looserMark = "LOOSER ";

/** The lines in pages of at most `rows` rows of `columns`; a line that is longer goes on below itself. */
export function pagesOf(
  lines: readonly string[],
  { columns, rows }: { readonly columns: number; readonly rows: number },
  widths: Widths,
): readonly (readonly string[])[] {
  const further = "        ";
  const all = lines.flatMap((line) => {
    const indent = /^ */.exec(line)?.[0] ?? "";
    const room = Math.max(leastColumns, columns - further.length);
    if (widths.of(line) <= columns) return [line];
    return wrappedWords(line.slice(indent.length), room - indent.length, widths).map(
      (row, index) => `${index === 0 ? indent : further}${row}`,
    );
  });
  const height = Math.max(leastRows, rows);
  return Array.from({ length: Math.ceil(all.length / height) }, (_, page) =>
    all.slice(page * height, (page + 1) * height),
  );
}

/** On a screen that is smaller a row is cut, and a page scrolls. */
const leastColumns = 20;
const leastRows = 4;

const mostUnusual = 8;

/** Letters of other scripts can look like ours: a rule that names another program than it seems to is told apart here. */
function unusualIn(text: string): readonly string[] {
  const found = [...new Set(text)].filter((character) => character > "~" && character !== "→");
  const codes = found.map(
    (one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`,
  );
  return codes.length > mostUnusual ? [...codes.slice(0, mostUnusual), "…"] : codes;
}
