/** The ways of one call to its client, made of frames: what the SDK's context is to a tool of ours. */
import { ProtocolError, SdkError, SdkErrorCode } from "@modelcontextprotocol/server";
import type { CallWire } from "../../mcp/call-wire.js";
import type { ReturnedState } from "../../mcp/request-state.js";
import { isObject, type JsonObject } from "../frames/json-object.js";
import type { Passage } from "../frames/passage.js";
import type { Router } from "../frames/router.js";

/** What a wire is made of. */
export interface WireParts {
  readonly ask: Router["ask"];
  readonly notify: Passage["notify"];
  readonly params: JsonObject;
  /** The state of a dialog of ours that came back with the call; null where none did. */
  readonly state: ReturnedState | null;
}

/** Below one, however long a call is held: the numbers of the upstream, which begin above, stay increasing. */
const progressPart = 1 / 1_000_000;

/** For one call. */
export function frameWire({ ask, notify, params, state }: WireParts): CallWire {
  const { bare, dropped } = responsesIn(state === null ? {} : params);
  return {
    requestState: <State>() => (state ?? undefined) as State | undefined,
    ...(state !== null && { inputResponses: bare }),
    ...(dropped.length > 0 && { droppedInputResponseKeys: dropped }),
    async send({ method, params: asked }, { signal }) {
      const { error, result } = await ask(method, asked, signal);
      if (isObject(error))
        throw new ProtocolError(numberOf(error.code), "The client answered with an error.");
      if (!isObject(result)) throw new SdkError(SdkErrorCode.InvalidResult, "The answer holds no result.");
      return result;
    },
    async notify({ method, params: told }) {
      notify(method, { ...told, progress: told.progress * progressPart });
    },
  };
}

/** Answers are objects as they stand; a message around one is not an answer, which the SDK says in the same way. */
function responsesIn({ inputResponses }: JsonObject): { bare: Record<string, unknown>; dropped: string[] } {
  const entries = isObject(inputResponses) ? Object.entries(inputResponses) : [];
  const isBare = ([, value]: [string, unknown]): boolean => isObject(value) && !("method" in value);
  return {
    bare: Object.fromEntries(entries.filter(isBare)),
    dropped: entries.filter((entry) => !isBare(entry)).map(([key]) => key),
  };
}

const unknownError = -32_603;

function numberOf(code: unknown): number {
  return typeof code === "number" ? code : unknownError;
}
