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
const builtSoFar = 2;

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
