/**
 * Are bytes an object of JSON, and what stands right in it? They are looked at as they come, and nothing of them is decoded,
 * built or kept, however many they are and however deep they are nested. Invariant: exactly what RFC 8259 allows is taken;
 * that its text is UTF-8 is for whoever has all of it.
 */
import { firstTurn, placeOf, steps } from "./json-grammar.js";
import { endOfPlain, wordsOf } from "./plain-text.js";

/** One look at bytes. */
export interface JsonScan {
  push(bytes: Uint8Array): void;
  /**
   * Where its braces, colons and commas stand, of the object that all of it is: between the first two the first key, then its
   * value, and so on. Null where it is anything else.
   */
  marks(): readonly number[] | null;
}

const broken = placeOf("broken");
const end = placeOf("end");
const text = placeOf("text");
const value = placeOf("value");
const behind = placeOf("behind");
const firstKey = placeOf("firstKey");
const nextKey = placeOf("nextKey");
const firstItem = placeOf("firstItem");
const object = placeOf("object");
const list = placeOf("list");
const endOfObject = placeOf("endOfObject");
const endOfList = placeOf("endOfList");
const comma = placeOf("comma");
const colon = placeOf("colon");

/** One with more than `most` marks counts as none. */
export function createJsonScan(most: number): JsonScan {
  const marks: number[] = [];
  let place = placeOf("start");
  /** How many bytes came before those that are looked at. */
  let before = 0;
  /** What is open, outermost first: is it an object? */
  let areObjects = new Uint8Array(64);
  let depth = 0;

  function enter(isObject: boolean): number {
    if (depth === areObjects.length) {
      const twice = new Uint8Array(depth * 2);
      twice.set(areObjects);
      areObjects = twice;
    }
    areObjects[depth] = isObject ? 1 : 0;
    depth += 1;
    return isObject ? firstKey : firstItem;
  }

  function leave(isObject: boolean): number {
    if ((areObjects[depth - 1] === 1) !== isObject) return broken;
    depth -= 1;
    return depth === 0 ? end : behind;
  }

  function turned(turn: number): number {
    switch (turn) {
      case colon:
        return value;
      case comma:
        return areObjects[depth - 1] === 1 ? nextKey : value;
      case object:
      case list:
        return enter(turn === object);
      case endOfObject:
      case endOfList:
        return leave(turn === endOfObject);
      default:
        return broken;
    }
  }

  /** The place behind a turn that stands at `at`. */
  function turnedAt(turn: number, at: number): number {
    const wasIn = depth;
    const then = turned(turn);
    // Right in the object, or its own braces.
    if (wasIn <= 1 && depth <= 1) marks.push(at);
    return marks.length > most ? broken : then;
  }

  return {
    push(bytes) {
      const { length } = bytes;
      const words = wordsOf(bytes);
      let here = place;
      for (let at = 0; at < length && here !== broken; at += 1) {
        if (here === text) at = endOfPlain(bytes, words, at);
        if (at === length) break;
        here = steps[here + (bytes[at] as number)] as number;
        if (here >= firstTurn) here = turnedAt(here, before + at);
      }
      place = here;
      before += length;
    },
    marks: () => (place === end ? marks : null),
  };
}
