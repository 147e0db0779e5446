/** What a yes is about beside the arguments of the call: the author says what is there, and it is looked at again before the tool does anything. */
import { type Clock, type StateSpec, sha256Hex, shownText, WispError } from "../../broker/index.js";
import type { BoundState as BoundTargets } from "../gate/calls/tool-subject.js";
import { isObject, type JsonObject } from "../gate/frames/json-object.js";
import { createStateBinding } from "../gate/state/state-binding.js";

/** By what a person knows each thing: what is there now; null where nothing is. Equal contents are one state. */
export type StateOfThings = Readonly<Record<string, string | Uint8Array | null>>;

/** Looks at what the call would be done to. Called before a person is asked, and once more after the yes. */
export type LookAtState = (signal: AbortSignal) => StateOfThings | Promise<StateOfThings>;

/** What a call would be done to, and who says what that is. */
export interface Surroundings {
  /** The author's look; none where they have none. */
  readonly look: LookAtState | undefined;
  /** What a rule of the person's binds beside it; null where none says anything. */
  readonly spec: StateSpec | null;
  readonly arguments: JsonObject;
  /** Where relative paths of a rule start, absolute. */
  readonly directory: string;
  readonly clock: Pick<Clock, "after">;
}

/** An author's look that takes longer has come to nothing: whoever waits for it holds a call, or a yes. */
const longestLookMs = 30_000;

/**
 * The fingerprints of all of it, by target; null where nobody says what it would be done to, `none` where a rule says that it is
 * nothing. Rejects with invalid_input for what cannot be looked at.
 */
export async function stateNow(around: Surroundings, signal: AbortSignal): Promise<BoundTargets> {
  const { look, spec, directory, clock } = around;
  const ruled = await createStateBinding({ directory, previewOf: () => null, probe: noProbe }).look(
    spec,
    around,
    signal,
  );
  if (look === undefined) return ruled;
  const things = Object.entries(await found(look, signal, clock));
  const own = things.map(([target, content]) => ({ target, fingerprint: fingerprintOf(content) }));
  return merged([...own, ...(ruled === null || ruled === "none" ? [] : ruled)]);
}

type Bound = Exclude<BoundTargets, "none" | null>;

/** A target that both name is one, and changes with either. */
function merged(bound: Bound): Bound {
  const known = new Map<string, string>();
  for (const { target, fingerprint } of bound) {
    const other = known.get(target);
    known.set(target, other === undefined ? fingerprint : sha256Hex(`${other}\n${fingerprint}`));
  }
  const all = [...known].map(([target, fingerprint]) => ({ target, fingerprint }));
  return all.sort((one, other) => (one.target < other.target ? -1 : 1));
}

/** A server cannot call itself, and a rule that wants that is not passed over. */
const noProbe = (): Promise<never> => {
  const what = "A rule binds what another tool says, which only a gate in front of the server can ask.";
  return Promise.reject(new WispError("invalid_input", what));
};

async function found(
  look: LookAtState,
  signal: AbortSignal,
  clock: Pick<Clock, "after">,
): Promise<StateOfThings> {
  try {
    return checked(await inTime(async () => look(signal), signal, clock));
  } catch (error) {
    if (error instanceof WispError || (signal.aborted && error === signal.reason)) throw error;
    const why = shownText(error instanceof Error ? error.message : String(error));
    throw new WispError("invalid_input", "What the call would be done to could not be looked at.", {
      why,
      cause: error,
    });
  }
}

/** Rejects with the reason of `signal` once that aborts, whatever the look does then. */
async function inTime<Value>(
  look: () => Promise<Value>,
  signal: AbortSignal,
  clock: Pick<Clock, "after">,
): Promise<Value> {
  signal.throwIfAborted();
  const over = new AbortController();
  const ended = new Promise<never>((_resolve, reject) => {
    const timer = clock.after(longestLookMs, () =>
      reject(new Error(`It took longer than ${longestLookMs / 1_000} s.`)),
    );
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", onAbort, { signal: over.signal });
    over.signal.addEventListener("abort", () => timer.cancel());
  });
  try {
    return await Promise.race([look(), ended]);
  } finally {
    over.abort();
  }
}

function checked(things: unknown): StateOfThings {
  if (!isObject(things)) throw new Error("It says nothing of things by their names.");
  const other = Object.entries(things).find(([, content]) => !isContent(content));
  if (other !== undefined) throw new Error(`What it says of ${other[0]} is neither text nor bytes nor null.`);
  return things as StateOfThings;
}

function isContent(content: unknown): boolean {
  return content === null || typeof content === "string" || content instanceof Uint8Array;
}

/** A label each, so that nothing stands for something that is there. */
function fingerprintOf(content: string | Uint8Array | null): string {
  if (content === null) return sha256Hex("wisp/nothing/v1");
  const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : Buffer.from(content);
  return sha256Hex(`wisp/thing/v1\n${bytes.toString("base64")}`);
}
