/** What the author of a server asks about a call of one of its tools, checked, and as a person is shown it. */
import {
  type Ask,
  canonicalJson,
  parseStrictJson,
  sha256Hex,
  shownText,
  textObjection,
  type Verdict,
  WispError,
} from "../../broker/index.js";
import {
  type BoundState,
  type ServerIdentity,
  type ToolSubject,
  toolSubject,
} from "../gate/calls/tool-subject.js";
import { isObject, type JsonObject } from "../gate/frames/json-object.js";
import type { Asking } from "../mcp/asking.js";
import type { Peer } from "../mcp/peer.js";
import { askedBy } from "../mcp/verdict.js";
import type { LookAtState } from "./bound-state.js";
import { jsonObjection } from "./plain-json.js";

/** One call, in the author's words. All of it is shown to a person, and a yes is to all of it. */
export interface ToolAsk {
  /** The name of the tool, as rules call it. */
  readonly tool: string;
  readonly title?: string;
  /** What the tool does, for a person. */
  readonly description?: string;
  /** Everything that decides what is done, as JSON; a key that is `undefined` counts as left out. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Looks at what it would be done to. Without it a yes counts whatever changes meanwhile, and a person is told so. */
  readonly state?: LookAtState;
}

/** The same, checked. */
export interface CheckedAsk {
  readonly tool: string;
  readonly title: string | null;
  readonly description: string | null;
  /** A copy that nobody else holds. */
  readonly arguments: JsonObject;
  readonly look: LookAtState | undefined;
}

/** Throws invalid_input for what no request can hold. */
export function checkedAsk(asked: ToolAsk): CheckedAsk {
  const { tool, title = null, description = null, state: look } = asked;
  for (const text of [tool, title ?? "", description ?? ""]) {
    const objection = textObjection(text);
    if (objection !== null)
      throw new WispError("invalid_input", `What is said of the tool holds a ${objection}.`);
  }
  return { tool, title, description, arguments: plain(asked.arguments), look };
}

/** What a person would be shown, and no other parser reads otherwise: a number that is rounded on the way is refused. */
function plain(given: ToolAsk["arguments"]): JsonObject {
  const objection = jsonObjection(given);
  if (objection !== null) {
    const message = `The arguments are no JSON: ${shownText(objection)}.`;
    throw new WispError("invalid_input", message, {
      why: "JSON would leave that out or write something else, and a person would approve that instead.",
    });
  }
  const parsed = parseStrictJson(Buffer.from(JSON.stringify(given), "utf8"));
  if (!parsed.ok)
    throw new WispError("invalid_input", `The arguments cannot be shown as they are: ${parsed.objection}.`);
  if (!isObject(parsed.value)) throw new WispError("invalid_input", "The arguments are no object.");
  return parsed.value;
}

/** Throws for arguments that have no canonical JSON. */
export function subjectOf(asked: CheckedAsk, server: ServerIdentity, state: BoundState): ToolSubject {
  const { tool: name, title, description } = asked;
  const text = canonicalJson({ name, title, description });
  const tool = { name, title, description, isReadOnly: false, hash: sha256Hex(text), text };
  return toolSubject(
    { tool, arguments: asked.arguments },
    { server, state, definition: null, meta: null, preview: null },
  );
}

/** Who asks, and what the rules say. */
export interface AskedFor {
  readonly peer: Pick<Peer, "client">;
  readonly asking: Pick<Asking, "config">;
  readonly verdict: Verdict;
  /** Does nobody say what the call would be done to? */
  readonly isUnbound: boolean;
}

/** The ask about `subject`. */
export function askFor(subject: ToolSubject, { peer, asking, verdict, isUnbound }: AskedFor): Ask {
  const { persistDays } = asking.config.settings.approval;
  const offerable = {
    scopes: ["once", "session"],
    program: null,
    programIdentity: null,
    persistDays,
  } as const;
  const asked = askedBy(verdict, offerable);
  return {
    ...asked,
    reasons: [...asked.reasons, ...(isUnbound ? ["state not bound"] : [])],
    ...{ subject, longTexts: [], says: null, client: peer.client, caller: "stdio", thread: null },
    bound: { role: "library", server: subject.server },
  };
}
