/**
 * Shapes of the files of the format, small and quick: they stand in every program that a person waits for. A shape
 * says whether a value has it and where it does not; it never changes, copies or completes a value. Why not a
 * library: ADR 0008; a property test holds every shape to the same one written with zod.
 */

/** Where a value has not the shape, and a key that has no place there when that is the reason. */
export interface Problem {
  readonly path: readonly string[];
  readonly unknownKey: string | null;
}

/** Something that values can be held against; `T` is the type of those that fit. */
export interface Shape<T> {
  /** May the key be missing where it stands in an object? */
  readonly isOptional: boolean;
  /** The first thing wrong with `value`, or null. */
  problemIn(value: unknown): Problem | null;
  /** The value itself when it fits. */
  safeParse(value: unknown): Parsed<T>;
  /** The value itself; throws a TypeError where it does not fit, for values that must. */
  parse(value: unknown): T;
}

/** What holding a value against a shape came to. */
export type Parsed<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly problem: Problem };

/** The type of the values that fit a shape. */
export type Infer<S> = S extends Shape<infer T> ? T : never;

/** A text, of at most `longest` UTF-16 units, that fits `pattern`. */
export function string(limits: { readonly pattern?: RegExp; readonly longest?: number } = {}): Shape<string> {
  const { pattern, longest = Number.POSITIVE_INFINITY } = limits;
  return shapeOf(
    (value) => typeof value === "string" && value.length <= longest && (pattern?.test(value) ?? true),
  );
}

/** A whole number that no parser rounds, from `least` to `most`. */
export function integer(limits: { readonly least?: number; readonly most?: number } = {}): Shape<number> {
  const { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY } = limits;
  return shapeOf((value) => Number.isSafeInteger(value) && isBetween(value as number, least, most));
}

/** A finite number from `least`. */
export function number({ least }: { readonly least: number }): Shape<number> {
  return shapeOf((value) => Number.isFinite(value) && (value as number) >= least);
}

/** `true` or `false`. */
export const boolean: Shape<boolean> = shapeOf((value) => typeof value === "boolean");

/** This value and no other. */
export function literal<const T extends string | number>(only: T): Shape<T> {
  return shapeOf((value) => value === only);
}

/** One of these texts. */
export function oneOf<const T extends readonly string[]>(values: T): Shape<T[number]> {
  const known = new Set<unknown>(values);
  return shapeOf((value) => known.has(value));
}

/** Any object that is no array, whatever its keys hold. */
export const anyObject: Shape<Record<string, unknown>> = shapeOf(isObject);

/** The same shape or null. */
export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return withProblem((value) => (value === null ? null : shape.problemIn(value)), false);
}

/** The same shape, null, or no such key. */
export function nullish<T>(shape: Shape<T>): Shape<T | null | undefined> {
  return withProblem(
    (value) => (value === null || value === undefined ? null : shape.problemIn(value)),
    true,
  );
}

/** A list of at least `least` items of one shape. */
export function array<T>(item: Shape<T>, { least = 0 }: { readonly least?: number } = {}): Shape<T[]> {
  return withProblem((value) => {
    if (!Array.isArray(value) || value.length < least) return here;
    for (const [index, one] of value.entries()) {
      const problem = item.problemIn(one);
      if (problem !== null) return below(String(index), problem);
    }
    return null;
  }, false);
}

type Fields = Readonly<Record<string, Shape<unknown>>>;
type OptionalKeys<F extends Fields> = { [K in keyof F]: undefined extends Infer<F[K]> ? K : never }[keyof F];
type ObjectOf<F extends Fields> = { [K in Exclude<keyof F, OptionalKeys<F>>]: Infer<F[K]> } & {
  [K in OptionalKeys<F>]?: Infer<F[K]>;
};
type Flat<T> = { [K in keyof T]: T[K] };

/** An object with these keys, each in its shape, and no other key. */
export function strictObject<F extends Fields>(fields: F): Shape<Flat<ObjectOf<F>>> {
  // Made with the first value: a command that a person waits for holds values against few of the shapes.
  let entries: readonly (readonly [string, Shape<unknown>])[] | null = null;
  return withProblem((value) => {
    if (!isObject(value)) return here;
    for (const key of Object.keys(value)) {
      if (!Object.hasOwn(fields, key)) return { path: [], unknownKey: key };
    }
    entries ??= Object.entries(fields);
    for (const [key, shape] of entries) {
      const field = Object.hasOwn(value, key) ? value[key] : undefined;
      if (field === undefined && shape.isOptional) continue;
      const problem = shape.problemIn(field);
      if (problem !== null) return below(key, problem);
    }
    return null;
  }, false);
}

/** One of several shapes; what is wrong is told of none of them. */
export function union<A, B>(first: Shape<A>, second: Shape<B>): Shape<A | B> {
  return shapeOf((value) => first.problemIn(value) === null || second.problemIn(value) === null);
}

/** One of several objects that are told apart by the value under `key`. */
export function choice<S extends Readonly<Record<string, Shape<unknown>>>>(
  key: string,
  shapes: S,
): Shape<Infer<S[keyof S]>> {
  return withProblem((value) => {
    if (!isObject(value)) return here;
    const name = value[key];
    const shape = typeof name === "string" && Object.hasOwn(shapes, name) ? shapes[name] : undefined;
    return shape === undefined ? below(key, here) : shape.problemIn(value);
  }, false);
}

const here: Problem = { path: [], unknownKey: null };

function below(key: string, problem: Problem): Problem {
  return { path: [key, ...problem.path], unknownKey: problem.unknownKey };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isBetween(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}

function shapeOf<T>(fits: (value: unknown) => boolean): Shape<T> {
  return withProblem((value) => (fits(value) ? null : here), false);
}

function withProblem<T>(problemIn: (value: unknown) => Problem | null, isOptional: boolean): Shape<T> {
  const safeParse = (value: unknown): Parsed<T> => {
    const problem = problemIn(value);
    // The check is what makes the value a T.
    return problem === null ? { success: true, data: value as T } : { success: false, problem };
  };
  return {
    isOptional,
    problemIn,
    safeParse,
    parse(value) {
      const parsed = safeParse(value);
      if (parsed.success) return parsed.data;
      throw new TypeError(`It has not the shape at "${parsed.problem.path.join(".")}".`);
    },
  };
}
