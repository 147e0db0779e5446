/** Where a request can be answered beside the client's dialog, in words for the person who is asked. */
import type { Request } from "../../broker/index.js";
import type { Asking } from "./asking.js";

/** Both texts are safe to show. */
export type Elsewhere =
  /** The command that answers in a terminal. */
  | { readonly answering: string; readonly why: null }
  /** Nowhere: why not, and what shows how to repair that. */
  | { readonly answering: null; readonly why: string };

/** For `request`. `fault` is why it is not filed, safe to show; null where it is. */
export function elsewhereOf(
  { answeringLine, doctorLine }: Pick<Asking, "answeringLine" | "doctorLine">,
  request: Pick<Request, "id" | "kind">,
  fault: string | null,
): Elsewhere {
  if (fault === null) return { answering: answeringLine(request), why: null };
  const repair = `In a terminal this says how to repair that: ${doctorLine}`;
  return { answering: null, why: `No terminal can answer this: ${fault}. ${repair}` };
}
