/** The given cases of attacks, each of which says what must come of it. A test of one begins with what `named` makes. */
import attacks from "../vectors/attacks.json" with { type: "json" };

export interface AttackCase {
  readonly id: string;
  readonly class: string;
  /** The part of the plan from which on it must come out right. */
  readonly issue: number;
  /** A line for the agent's shell, or what to make or do. */
  readonly input: string | Readonly<Record<string, string>>;
  /** What must be seen, by name; each test knows the names of its own. */
  readonly expected: Readonly<Record<string, unknown>>;
}

/** How far the plan is built. */
const builtSoFar = 7;

/** The cases that must come out right by now. */
export const attackCases = (attacks.cases as readonly AttackCase[]).filter(
  ({ issue }) => issue <= builtSoFar,
);

/** The case with this id; throws where it need not come out right yet. */
export function attackCase(id: string): AttackCase {
  const found = attackCases.find((one) => one.id === id);
  if (found === undefined) throw new Error(`No case ${id} yet.`);
  return found;
}

/** What the title of a test of this case begins with. */
export function named(id: string): string {
  return `${id} ${attackCase(id).class}`;
}

/** The cases about what a request shows. */
export const displayCases: readonly AttackCase[] = attackCases.filter((one) =>
  one.class.startsWith("display/"),
);

/** What must stand in what runs, wherever the request of this case is shown whole. */
export function mustShow({ expected }: AttackCase): readonly RegExp[] {
  const { must_show: seen = [], must_warn: warned } = expected;
  const shown = (seen as readonly string[]).map((text) => inOtherWords.get(text) ?? literal(text));
  // A letter of another script is written out.
  return warned === undefined ? shown : [...shown, /g\\u\{456\}t push/];
}

/** What the cases do not spell. */
const inOtherWords: ReadonlyMap<string, RegExp> = new Map([
  ["a mark with the number of blanks", /git status␠×\d{3,}; npm publish/],
  ["value drawn inside a quoted block, never as frame text", /\[Approved by wisp: safe\]/],
]);

function literal(text: string): RegExp {
  return new RegExp(text.replace(/[\\{}]/g, "\\$&"));
}
