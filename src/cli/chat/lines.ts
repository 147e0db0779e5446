/** What plain chat reads its commands from: a person's terminal, or whatever else standard input is. */

/** What came next. */
export type Typed =
  | { readonly kind: "line"; readonly text: string }
  /** Several lines at once: they were pasted, so nobody has seen what each of them would do. */
  | { readonly kind: "several"; readonly count: number }
  /** Ctrl-C. */
  | { readonly kind: "interrupted" }
  | { readonly kind: "end" };

/** One reader for the whole of a session; only one line is read at a time. */
export interface Lines {
  /**
   * Resolves with what is typed next. With `isFresh` what came before the prompt stands there is dropped: it was typed
   * ahead of something that a person had to see first.
   */
  next(isFresh: boolean): Promise<Typed>;
  /** Is a line waited for, and none of it typed yet? Only then may anything be printed meanwhile. */
  readonly isEmpty: boolean;
  /** Prints by `print` what is not typed, and draws the prompt again below it. Only while `isEmpty`. */
  interject(print: () => void): void;
  /** Calls `listener` whenever it may have become empty. */
  onEmpty(listener: () => void): void;
}
