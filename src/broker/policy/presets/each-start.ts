/**
 * Arguments as a server may read them that starts relative paths where nobody else knows. Invariant: each reading names the
 * same files as one of the starts gives them, and the arguments as they came are always among them.
 */
import { isAbsolute, resolve } from "node:path";
import { type ArgumentStep, parseArgumentPath } from "../argument-path.js";

type Arguments = Readonly<Record<string, unknown>>;

/** `given`, and once more for each of `starts` where a relative path stands at one of `paths`. */
export function readingsOf(
  given: Arguments,
  paths: readonly string[],
  starts: readonly string[],
): readonly Arguments[] {
  const steps = paths.flatMap((path) => {
    const parsed = parseArgumentPath(path);
    return parsed.kind === "path" ? [parsed.path.steps] : [];
  });
  let hasRelative = false;
  const from = (start: string): Arguments =>
    steps.reduce<Arguments>(
      (args, path) =>
        withTexts(args, path, (text) => {
          if (!isRelative(text)) return text;
          hasRelative = true;
          return resolve(start, text);
        }) as Arguments,
      given,
    );
  const readings = [...new Set(starts)].map(from);
  return hasRelative ? [given, ...readings] : [given];
}

/** A `~` is not where the server starts. */
function isRelative(text: string): boolean {
  return !isAbsolute(text) && text !== "~" && !text.startsWith("~/");
}

/** `value` with each text below `steps` replaced; a server may take a list for the text that it wants. */
function withTexts(
  value: unknown,
  steps: readonly ArgumentStep[],
  replaced: (text: string) => string,
): unknown {
  const [step, ...rest] = steps;
  if (typeof value === "string") return step === undefined ? replaced(value) : value;
  if (typeof value !== "object" || value === null) return value;
  const one = (key: string, inner: unknown): unknown =>
    step === undefined || isMeant(step, key) ? withTexts(inner, rest, replaced) : inner;
  if (Array.isArray(value)) return value.map((inner, index) => one(String(index), inner));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, one(key, inner)]));
}

function isMeant(step: ArgumentStep, key: string): boolean {
  switch (step.kind) {
    case "all":
      return true;
    case "name":
      return step.name === key;
    case "index":
      return String(step.index) === key;
    default:
      return step satisfies never;
  }
}
