/** What the keys do that keep a fact. Invariant: what is kept was on the screen to its end. */
import type { FactRequest } from "../../broker/index.js";
import { narrowestScope } from "../../face/fact-scope.js";
import { blockOfYes } from "./blocked.js";
import { askedWhole } from "./confirming.js";
import { givenKeep } from "./giving.js";
import type { YesKey } from "./keys.js";
import { type Confirming, type Model, type OpenCard, type Single, type Stepped, still } from "./model.js";
import { hinted } from "./notices.js";

/** A fact and the row that it stands in. */
export interface FactRow {
  readonly entry: Single;
  readonly request: FactRequest;
}

/** `key` on the open card of a fact; everywhere is kept by the same key once more. */
export function factDecided(
  model: Model,
  card: OpenCard,
  { entry, request }: FactRow,
  key: YesKey,
  confirming: Confirming | null,
  at: number,
): Stepped {
  if (key !== "y" && key !== "a") {
    return still(hinted(model, "This is a fact: y or a keeps it, d drops it.", at));
  }
  const block = blockOfYes(model, card);
  if (block !== null) return still(hinted(model, block, at));
  if (key === "y") return givenKeep(model, entry, narrowestScope(request.fact));
  return confirming === "a"
    ? givenKeep(model, entry, "always")
    : still(askedWhole(model, "a", "What that means", at));
}
