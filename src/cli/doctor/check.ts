/** One thing that doctor looked at. */
export interface Check {
  readonly name: string;
  readonly status: "ok" | "warn" | "fail";
  /** What was found; safe to print. */
  readonly detail: string;
  /** One command that repairs it, or null. */
  readonly fix: string | null;
  /** Is the channel unsafe to use, so that nothing may be asked through it? */
  readonly isUnsafe: boolean;
}

/** Something is as it should be. */
export function ok(name: string, detail: string): Check {
  return { name, status: "ok", detail, fix: null, isUnsafe: false };
}

/** Asking works, yet `detail` is worth knowing; `fix` may be null because nothing can be done. */
export function warning(name: string, detail: string, fix: string | null): Check {
  return { name, status: "warn", detail, fix, isUnsafe: false };
}

/** Asking does not work while this is so. */
export function failure(name: string, detail: string, fix: string | null): Check {
  return { name, status: "fail", detail, fix, isUnsafe: false };
}
