/** Lines that a test types, a whole one or half of one. */
import type { Lines, Typed } from "../../src/cli/chat/lines.js";

export interface FakeLines extends Lines {
  /** What is typed next. */
  types(typed: string | Typed): void;
  /** What stands half-typed at the prompt. */
  half(text: string): void;
  /** Whether each line was asked for afresh, oldest first. */
  readonly fresh: readonly boolean[];
  /** How often something was printed above the prompt. */
  readonly interjections: number;
}

export function fakeLines(): FakeLines {
  const ready: Typed[] = [];
  const fresh: boolean[] = [];
  let reader: ((typed: Typed) => void) | null = null;
  let text = "";
  let interjections = 0;
  let onEmpty = (): void => {};
  return {
    next(isFresh) {
      fresh.push(isFresh);
      const typed = ready.shift();
      if (typed !== undefined) return Promise.resolve(typed);
      return new Promise((resolve) => {
        reader = resolve;
        onEmpty();
      });
    },
    get isEmpty() {
      return reader !== null && text === "";
    },
    interject(print) {
      interjections += 1;
      print();
    },
    onEmpty(listener) {
      onEmpty = listener;
    },
    types(typed) {
      const one: Typed = typeof typed === "string" ? { kind: "line", text: typed } : typed;
      text = "";
      if (reader === null) ready.push(one);
      else reader(one);
      reader = null;
    },
    half(typed) {
      text = typed;
      onEmpty();
    },
    fresh,
    get interjections() {
      return interjections;
    },
  };
}
