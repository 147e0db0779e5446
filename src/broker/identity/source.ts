/** What a system tells of processes. */

/** How one system is asked. */
export interface ProcessSource {
  /** When process `pid` started, as opaque text; null when there is none, or only its zombie. */
  startedAt(pid: number): string | null;
  /** Opaque text that changes with every boot; "" where the system does not tell. */
  boot(): string;
  /** The pid namespace of this process; "" where there are none. */
  namespace(): string;
}

/** How one system is asked who started whom, and in which terminal. */
export interface LookSource {
  /** Opens one look at processes. Nothing is kept open; a look is used at once and dropped. */
  look(): ProcessLook;
}

/**
 * One look at processes: either each question is answered as things stand when it is asked, or all as they stood in
 * one moment. Throws where the system cannot be asked.
 */
export interface ProcessLook {
  /** What is known of process `pid`; null when there is none, "hidden" when it belongs to somebody else and so does not show. */
  read(pid: number): ProcessFacts | "hidden" | null;
  /** What stands at the standard input of `one`. */
  input(one: ProcessFacts): StandardInput;
  /** Does a process that shows bear this number, and this start, in a pid namespace within ours? */
  isWithinOther(pid: number, startedAt: string): boolean;
  /** Every process that shows, up to a bound far above what a machine runs. */
  all(): readonly ProcessFacts[];
  /** The masters of pseudo-terminals that process `pid` holds open; null when that cannot be seen. */
  masters(pid: number): readonly Master[] | null;
}

/** One process, as far as it matters who started it and where. */
export interface ProcessFacts {
  readonly pid: number;
  /** Its parent's number; 0 where that stands outside of what this process can see. */
  readonly parent: number;
  /** Opaque text; with the pid it tells this process from a later one of the same number. */
  readonly startedAt: string;
  /** The name of its program, by its own word: hostile text. */
  readonly name: string;
  readonly isSessionLeader: boolean;
  /** Ended but for its number, or alive in other threads than its first. */
  readonly isZombie: boolean;
  /** Its controlling terminal, by a name that is only compared and shown; null where it has none. */
  readonly terminal: string | null;
}

/** What a process reads from: told apart where the system tells it. */
export type StandardInput =
  /** Its controlling terminal; `place` is the file system that its file lies on, null where that is not known. */
  | { readonly kind: "controlling"; readonly place: number | null }
  | { readonly kind: "other" }
  /** It may not be looked at: the process belongs to somebody else. */
  | { readonly kind: "unseen" }
  /** This system does not tell. */
  | { readonly kind: "untold" };

/** The end of a pseudo-terminal that says what is typed there. */
export interface Master {
  /** The terminal at its other end, by the same name as in `ProcessFacts`. */
  readonly terminal: string;
  /** The file system of terminals it belongs to, null where that is not known. Each counts from 0. */
  readonly place: number | null;
}
