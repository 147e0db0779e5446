/** Looks at the process that answered. */
import type { Witness } from "../request/assurance.js";
import type { ProcessIdentity } from "../request/process.js";

/** What the record of another live server says; it counts only where the processes say the same. */
export interface OtherServer {
  readonly pid: number;
  readonly startedAt: string;
  readonly boot: string;
  readonly namespace: string;
  readonly parent: { readonly pid: number; readonly startedAt: string } | null;
  /** The client of that server, by its own word; null when it gave none. */
  readonly client: string | null;
}

/** What a server knows when it looks at a process that answers. */
export interface WitnessOptions {
  /** This process: the server that asked. */
  readonly own: ProcessIdentity;
  /** The client of this server, by its own word; null when it gave none. */
  readonly client: string | null;
  /** Does an answer from within that client's processes not count? */
  readonly isRefusedWithin: (client: string | null) => boolean;
  /** Records of the live servers of this home, this one's among them or not. */
  readonly others: () => readonly OtherServer[];
}

/** Looks at nothing, and says so. */
export const blindWitness: Witness = () => ({
  verified: { terminal: null, ancestry: null, signed: null },
  seen: {},
  shortfall: null,
});

/** Looks at nothing yet. */
export function processWitness(_options: WitnessOptions): Witness {
  return blindWitness;
}
