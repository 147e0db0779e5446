/** What one look at a server gave: between the program that looks and the one that shows it to a person. */
import type { PinnedServer } from "./pins.js";

/** A tool by the word of its server. Nothing of it is checked, and it is shown through `shown`. */
export interface ListedTool {
  readonly name: string;
  readonly description: string | null;
  /** It says of itself that it changes nothing. */
  readonly isReadOnly: boolean;
  /** SHA-256 in hex of all that a client or a model is told of it. */
  readonly hash: string;
  /** The same as text. */
  readonly text: string;
}

/** What came of it. */
export type ServerLook =
  | {
      readonly kind: "tools";
      /** As a gate before it knows it. */
      readonly server: PinnedServer;
      /** In the order of the server; those that can be told apart. */
      readonly tools: readonly ListedTool[];
      /** Names that stand there twice, or of which is said what no hash can be made of. */
      readonly unclear: readonly string[];
    }
  /** It lists nothing that can be used; `why` is for a person, and safe to show. */
  | { readonly kind: "none"; readonly why: string };
