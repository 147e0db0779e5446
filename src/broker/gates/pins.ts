/**
 * What a gate knows of its server from the calls that were let through before. Implemented over a home by `openGatePins`.
 * Invariant: nobody but wisp changes or takes away a pin unseen; what cannot be trusted pins nothing and says so.
 */

/** Which server is behind the gate. */
export interface PinnedServer {
  /** SHA-256 in hex. */
  readonly identity: string;
  /** For a person: the command or the address. */
  readonly identityText: string;
}

/** What a tool said of itself. */
export interface PinnedTool {
  /** SHA-256 in hex over all that a client or a model is told of it. */
  readonly hash: string;
  /** The same as text; null where it is too long to be kept. */
  readonly text: string | null;
}

/** All that is pinned of one name. */
export interface PinnedGate extends PinnedServer {
  /** What was pinned before was lost: a tool that is not here may have been, and only a person's yes pins it. */
  readonly isRestored: boolean;
  /** By the names of the tools. */
  readonly tools: ReadonlyMap<string, PinnedTool>;
}

/** How the pins of one name stand. `reason` is for a person. */
export type PinsNow =
  | { readonly kind: "none" }
  | { readonly kind: "pinned"; readonly gate: PinnedGate }
  | { readonly kind: "untrusted"; readonly reason: string };

/** A call that is let through, and by whom. */
export interface LetThrough {
  readonly server: PinnedServer;
  readonly tool: string;
  readonly definition: PinnedTool;
  readonly by: "person" | "rule";
}

/** The pins of one name. */
export interface GatePins {
  /** Looks anew; makes nothing, and never throws. */
  current(): PinsNow;
  /**
   * Pins what was let through, a person's yes in the place of what was pinned, a rule's only where nothing was. On disk when
   * it resolves; null where nothing of it is new, as for most calls. Rejects with channel_unsafe, channel_unavailable: then
   * what is pinned is what was, or this.
   */
  pin(call: LetThrough): Promise<void> | null;
}
