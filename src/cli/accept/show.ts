/** The changes as a person reads them. Every text of a file is escaped: it may have been written to mislead. */
import { type AcceptChange, type AcceptProposal, shownText } from "../../broker/index.js";
import type { Paint } from "../render.js";
import { countText, effectWords } from "./proposals.js";

/** One file with all its changes, a line each and what belongs to it below. */
export function proposalText(proposal: AcceptProposal, paint: Paint): string {
  const { name, changes, distrust, value } = proposal;
  const lines = changes.flatMap((change) => linesOf(name, change, paint));
  return [
    `${name}: ${countText(proposal)}${value === null ? "; the file is gone" : ""}`,
    ...(distrust === null ? [] : [`  ! its accepted copy counts for nothing: ${shownText(distrust)}`]),
    ...lines,
  ]
    .map((line) => `${line}\n`)
    .join("");
}

function linesOf(name: string, change: AcceptChange, paint: Paint): readonly string[] {
  const { sign, list, text, details, line, effect } = change;
  const place = line === null ? "accepted before" : `${name}:${line}`;
  const mark = effect === "looser" ? paint("high", "LOOSER ") : effectWords[effect];
  const unusual = unusualIn([text, ...details].join(""));
  return [
    `  ${sign} ${mark} ${list} ${shownText(text)}  (${place})`,
    ...details.map((one) => `      ${shownText(one)}`),
    ...(unusual.length === 0 ? [] : [`      not plain ASCII: ${unusual.join(" ")}`]),
  ];
}

const mostUnusual = 8;

/** Letters of other scripts can look like ours: a rule that names another program than it seems to is told apart here. */
function unusualIn(text: string): readonly string[] {
  const found = [...new Set(text)].filter((character) => character > "~" && character !== "→");
  const codes = found.map(
    (one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`,
  );
  return codes.length > mostUnusual ? [...codes.slice(0, mostUnusual), "…"] : codes;
}
