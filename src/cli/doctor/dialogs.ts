/** Whether dialogs of clients were over before anybody can have read them: then those clients answer by themselves. */
import type { RecentDialogs } from "../../broker/index.js";
import { type Check, ok, warning } from "./check.js";

/** Counts what the end of the log says; a dialog that decided is not among them. */
export function checkDialogs({ ended, unseen }: RecentDialogs): Check {
  if (unseen === 0) return ok("dialogs", "none was lately answered before anybody could read it");
  const detail = `${unseen} of ${ended} that decided nothing were over before anybody could read them: a client answers by itself`;
  return warning(
    "dialogs",
    detail,
    "Answer in a terminal, or start that client's server with WISP_ELICITATION=off.",
  );
}
