/** The card of a row that stands for many requests of one thread. */
import type { Request } from "../../broker/index.js";
import { forWhom, summaryOf } from "../../face/describe.js";
import type { FoldedCard } from "./card-rows.js";
import { fitted, folded } from "./fold.js";
import type { CardRow } from "./screen.js";

/** Whoever wants to see more of them has them listed. */
const mostNamed = 20;

/** Who asks, how much, and the first few. Nothing of it takes a yes here, so it holds no content. */
export function manyRows(requests: readonly Request[], columns: number): FoldedCard {
  const known = rowsOfMany.get(requests);
  if (known?.columns === columns) return known.card;
  const card = { rows: rowsFor(requests, columns), lastContent: -1, session: null };
  rowsOfMany.set(requests, { columns, card });
  return card;
}

const rowsOfMany = new WeakMap<readonly Request[], { readonly columns: number; readonly card: FoldedCard }>();

/** What a row for many stands for: all of it are of one kind. */
export const manyNouns = { approval: "requests", fact: "facts to keep", question: "questions" } as const;

function rowsFor(requests: readonly Request[], columns: number): readonly CardRow[] {
  const [first] = requests;
  const asked = `${requests.length} ${manyNouns[first?.kind ?? "approval"]} ${first === undefined ? "" : forWhom(first)}`;
  const named = requests.slice(0, mostNamed).map(
    (request, index): CardRow => ({
      label: index === 0 ? "ask for" : "",
      text: fitted(summaryOf(request), columns),
      tone: "plain",
      isFold: false,
    }),
  );
  const rest = requests.length - named.length;
  return [
    ...labelled("waiting", asked, columns),
    ...named,
    ...(rest > 0 ? labelled("", `and ${rest} more`, columns) : []),
  ];
}

function labelled(label: string, text: string, columns: number): readonly CardRow[] {
  return folded(text, columns).map((piece, index) => ({
    label: index === 0 ? label : "",
    text: piece,
    tone: "plain",
    isFold: index > 0,
  }));
}
