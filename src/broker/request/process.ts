/** A process, told apart from a later one that was given the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque text read from the operating system: when the process started. */
  readonly startedAt: string;
  /** Opaque text that changes with every boot. */
  readonly boot: string;
  /** Which pid namespace the number belongs to; "" where there are none. */
  readonly namespace: string;
}

/** A process to look for; `namespace` is null where only its number and start time are known. */
export type SoughtProcess = Omit<ProcessIdentity, "namespace"> & { readonly namespace: string | null };

/** Whether a process lives. `unknown` when it belongs to another boot or namespace: its number says nothing here. */
export type Liveness = "alive" | "gone" | "unknown";
