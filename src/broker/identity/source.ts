/** What a system tells of processes. */
export interface ProcessSource {
  /** When process `pid` started, as opaque text; null when there is none, or only its zombie. */
  startedAt(pid: number): string | null;
  /** Opaque text that changes with every boot; "" where the system does not tell. */
  boot(): string;
  /** The pid namespace of this process; "" where there are none. */
  namespace(): string;
}
