/** What a yes is about beside the arguments of the call: the author says what is there, and it is looked at again before the tool does anything. */
import { sha256Hex, shownText, WispError } from "../../broker/index.js";
import type { BoundState as BoundTargets } from "../gate/calls/tool-subject.js";

/** By what a person knows each thing: what is there now; null where nothing is. Equal contents are one state. */
export type StateOfThings = Readonly<Record<string, string | Uint8Array | null>>;

/** Looks at what the call would be done to. Called before a person is asked, and once more after the yes. */
export type LookAtState = (signal: AbortSignal) => StateOfThings | Promise<StateOfThings>;

/** The fingerprints of what `look` finds, by target; null where there is nothing to look at. Rejects with invalid_input for a `look` that fails. */
export async function stateNow(look: LookAtState | undefined, signal: AbortSignal): Promise<BoundTargets> {
  if (look === undefined) return null;
  const things = await found(look, signal);
  return Object.entries(things)
    .map(([target, content]) => ({ target, fingerprint: fingerprintOf(content) }))
    .sort((one, other) => (one.target < other.target ? -1 : 1));
}

async function found(look: LookAtState, signal: AbortSignal): Promise<StateOfThings> {
  try {
    return await look(signal);
  } catch (error) {
    if (error instanceof WispError) throw error;
    const why = shownText(error instanceof Error ? error.message : String(error));
    throw new WispError("invalid_input", "What the call would be done to could not be looked at.", {
      why,
      cause: error,
    });
  }
}

/** A label each, so that nothing stands for something that is there. */
function fingerprintOf(content: string | Uint8Array | null): string {
  if (content === null) return sha256Hex("wisp/nothing/v1");
  const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : Buffer.from(content);
  return sha256Hex(`wisp/thing/v1\n${bytes.toString("base64")}`);
}
