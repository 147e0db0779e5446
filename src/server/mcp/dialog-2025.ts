/**
 * The client's own dialog in the 2025 era: the server sends `elicitation/create` and the client answers it. The 2026 era
 * cannot be asked this way (`dialog-2026.ts`).
 */
import { ProtocolError, ProtocolErrorCode, SdkError, SdkErrorCode } from "@modelcontextprotocol/server";
import type { Askable, ClientFacts, Dialog, DialogAnswer } from "../../broker/index.js";
import type { Asking } from "./asking.js";
import type { CallWire } from "./call-wire.js";
import type { DialogKind } from "./elicitation.js";
import { elsewhereOf } from "./elsewhere.js";
import type { Peer } from "./peer.js";

/** The longest a timer can wait; Infinity, 0 and one more all fire at once. The approver decides when time is up. */
const forEverMs = 2 ** 31 - 1;

/** The first revision whose clients know titled options as `oneOf`. */
const titledOptionsSince = "2025-11-25";

/**
 * The dialog of the client that makes this call, for this kind of request. `send` is the call's own request channel; unlike the SDK's
 * `elicitInput` it does not judge the content, which the kind does.
 */
export function dialog2025<Asked extends Askable>(
  kind: DialogKind<Asked>,
  peer: Pick<Peer, "revision">,
  send: CallWire["send"],
  asking: Pick<Asking, "home" | "answeringLine" | "doctorLine">,
  { unseenDecline }: Pick<ClientFacts, "unseenDecline">,
): Dialog<Asked> {
  const titles = peer.revision >= titledOptionsSince ? "oneOf" : "enumNames";
  return {
    unseenDecline,
    async ask(request, signal, fault) {
      const elsewhere = elsewhereOf(asking, request, fault);
      const form = kind.form(request, { home: asking.home, elsewhere, titles });
      if (typeof form === "string") return { kind: "failed", why: form };
      try {
        const result = await send(
          { method: "elicitation/create", params: { mode: "form", ...form } },
          { signal, timeout: forEverMs },
        );
        return kind.read(request, result);
      } catch (error) {
        return failureOf(error, signal);
      }
    },
  };
}

function failureOf(error: unknown, signal: AbortSignal): DialogAnswer {
  // Withdrawn: the SDK has cancelled the dialog on the wire, and nobody reads this answer any more.
  if (signal.aborted) return { kind: "dismissed" };
  if (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult) {
    return { kind: "invalid", why: "the client's answer is no answer to a form" };
  }
  if (error instanceof ProtocolError) {
    if (error.code === ProtocolErrorCode.MethodNotFound) {
      return { kind: "unsupported", why: "the client has no dialog, though it declared one" };
    }
    return { kind: "failed", why: `the client refused to show a dialog (${error.code})` };
  }
  return { kind: "failed", why: "the client's dialog could not be shown" };
}
