/**
 * Paths beside the one that a rule names. Servers name files by several arguments, and which of them a tool takes is not for
 * whoever denies a directory to know: where it is known which arguments are paths, what is denied or asked about at one of
 * them is so at each.
 */
import type { ArgumentPath } from "./argument-path.js";

/** As rules name it that are about files of any tool. */
const usualName = "path";

/** What stands in `args` at the other `names`, where a condition on `path` is about one of them; each as it is there, a list too. */
export function besidePaths(
  { steps: [first] }: ArgumentPath,
  args: unknown,
  names: readonly string[],
): readonly unknown[] {
  if (first?.kind !== "name" || typeof args !== "object" || args === null) return [];
  const { name } = first;
  if (name !== usualName && !names.includes(name)) return [];
  return names
    .filter((other) => other !== name && Object.hasOwn(args, other))
    .map((other) => (args as Readonly<Record<string, unknown>>)[other]);
}
