/**
 * The fields that an event may have: the shape of each for the check, and its sentence for docs/audit.md. Only what checks
 * or prints events loads these; whoever writes one knows their types alone.
 */
import { identifierSchema } from "../request/identifier.js";
import { hashSchema } from "../request/long-text.js";
import * as s from "../request/shape.js";

/** One value of an event; `T` is its type. */
export interface Field<T> {
  readonly shape: s.Shape<T>;
  /** What kind of value it is, as a reader of the page is told. */
  readonly type: string;
  /** What it says. */
  readonly says: string;
  /** Of an object, or a list of objects: the fields of it, or of each. */
  readonly within?: Fields;
}

/** Fields by their names. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

type ValueOf<F> = F extends Field<infer T> ? T : never;
type OptionalKeys<F extends Fields> = {
  [K in keyof F]: undefined extends ValueOf<F[K]> ? K : never;
}[keyof F];
type Flat<T> = { readonly [K in keyof T]: T[K] };

/** The values that fit such fields. */
export type ValuesOf<F extends Fields> = Flat<
  { [K in Exclude<keyof F, OptionalKeys<F>>]: ValueOf<F[K]> } & { [K in OptionalKeys<F>]?: ValueOf<F[K]> }
>;

/** Far beyond any text that is written down: 1,000 characters, escaped. */
const longestText = 32 * 1024;

/** Any text, safe to print. */
export function text(says: string): Field<string> {
  return { shape: s.string({ longest: longestText }), type: "text", says };
}

/** The SHA-256 of something, 64 hexadecimal digits. */
export function hash(says: string): Field<string> {
  return { shape: hashSchema, type: "SHA-256", says };
}

/** The id of a request, or of what was drawn like one. */
export function id(says: string): Field<string> {
  return { shape: identifierSchema, type: "id", says };
}

/** A whole number from 0. */
export function count(says: string): Field<number> {
  return { shape: s.integer({ least: 0 }), type: "whole number", says };
}

/** A duration. */
export function seconds(says: string): Field<number> {
  return { shape: s.number({ least: 0 }), type: "seconds", says };
}

/** True or false. */
export function flag(says: string): Field<boolean> {
  return { shape: s.boolean, type: "true or false", says };
}

/** One of these texts. */
export function one<const T extends readonly string[]>(values: T, says: string): Field<T[number]> {
  const named = values.map((value) => `\`${value}\``);
  const parts = [named.slice(0, -1).join(", "), ...named.slice(-1)];
  const type = parts.filter((part) => part !== "").join(" or ");
  return { shape: s.oneOf(values), type, says };
}

/** The same field or null. */
export function maybe<T>(field: Field<T>): Field<T | null> {
  return { ...field, shape: s.nullable(field.shape), type: `${field.type}; null` };
}

/** The same field, null, or no such field. */
export function rarely<T>(field: Field<T>): Field<T | null | undefined> {
  return { ...field, shape: s.nullish(field.shape), type: `${field.type}; null or missing` };
}

/** Any number of values that are like `item`. */
export function list<T>(item: Field<T>, says: string): Field<readonly T[]> {
  return { ...item, shape: s.array(item.shape), type: `list of: ${item.type}`, says };
}

/** An object with these fields and no other. */
export function group<F extends Fields>(fields: F, says: string): Field<ValuesOf<F>> {
  return { shape: shapeOf(fields), type: "object", says, within: fields };
}

/** The shape of an object with these fields and no other. */
export function shapeOf<F extends Fields>(fields: F): s.Shape<ValuesOf<F>> {
  const shapes = Object.fromEntries(Object.entries(fields).map(([name, { shape }]) => [name, shape]));
  // The same keys with the same shapes: what a loop over them cannot tell the compiler.
  return s.strictObject(shapes) as s.Shape<unknown> as s.Shape<ValuesOf<F>>;
}
