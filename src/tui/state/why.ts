/** Why something is asked: the rule and where it stands, the level with its reasons, and what an answer counts as. */
import { type Kind, shownText } from "../../broker/index.js";
import type { Field } from "../../face/card.js";
import { offeredScopes, rememberLines } from "../../face/remember-lines.js";
import { kindOf } from "./blocked.js";
import { approvalOf, type Model } from "./model.js";

/** A line for each thing there is to say of what is open, safe to print. */
export function whyFields({ card }: Pick<Model, "card">): readonly string[] {
  const approval = card === null ? null : approvalOf(card.entry);
  if (card === null) return ["Nothing is open."];
  if (approval === null) return [unjudgedText[kindOf(card.entry)]];
  const { level, reasons, rule, assurance } = approval;
  const shown = (label: string): readonly string[] =>
    linesUnder(label, card.view?.card.fields ?? []).map((text, index) =>
      line(index === 0 ? label : "", text),
    );
  return [
    line("level", level),
    ...reasons.map((reason) => line("", shownText(reason))),
    line("rule", rule === null ? "none: what no rule names is asked" : shownText(rule)),
    ...shown("pattern"),
    line("scopes", offeredScopes(approval).join(", ")),
    ...shown("session"),
    ...rememberLines(approval).map(({ label, text, isOurs }) => line(label, isOurs ? text : shownText(text))),
    line("assurance", `${assurance} or better`),
    ...shown("from here"),
    ...shown("answers"),
  ];
}

const unjudgedText = {
  approval: "Nothing is judged here.",
  fact: "Nothing is judged here: an agent asks to keep this for good, and only a person keeps it.",
  question: "Nothing is judged here: an agent asks what only a person can tell.",
} as const satisfies Record<Kind, string>;

/** All lines of the fields called `label`, with those of the fields without a label that go on with one. */
function linesUnder(label: string, fields: readonly Field[]): readonly string[] {
  let isUnder = false;
  return fields.flatMap((field) => {
    isUnder = field.label === label || (isUnder && field.label === "");
    return isUnder ? field.lines : [];
  });
}

const labelColumns = 12;

function line(label: string, text: string): string {
  return label.padEnd(labelColumns) + text;
}
