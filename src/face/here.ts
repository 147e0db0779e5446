/** What an answer from this process would count as, as far as it can tell by itself. Its server looks for itself. */
import type { ApprovalRequest } from "../broker/index.js";
import type { Seat } from "./seat.js";

/**
 * One line of our own words: the level that an answer from here would have, why, and whether that is less than
 * `required`. Only standard input is looked at, where that costs nothing; the rest is for the server to find.
 */
export function hereText(
  required: ApprovalRequest["assurance"],
  { canAnswer, isControlling }: Pick<Seat, "canAnswer" | "isControlling">,
): string {
  if (!canAnswer) return "no answer: standard input is no terminal";
  if (isControlling === false) {
    const isEnough = required === "file";
    return `file${isEnough ? "" : ", not enough"}: standard input is not the terminal that controls this command`;
  }
  const isEnough = required !== "signed";
  const level = isEnough ? "terminal" : "terminal, not enough";
  const unseen = isControlling === null ? ", standard input not seen" : "";
  return `${level}${unseen}; less from within a client`;
}
