/** Which rules are in force here, what of the person's files waits to be accepted, and what asks whatever they say. */
import {
  dangerReasons,
  type FileStanding,
  floorReasons,
  type LoadedConfig,
  type PolicyStanding,
  shownText,
} from "../../broker/index.js";
import { wispLine } from "../../face/quote.js";
import type { Terminal } from "../terminal.js";
import { type Check, failure, ok, warning } from "./check.js";

type Where = Pick<Terminal, "environment">;

/** A line for each file that is there and cannot be used, or waits; one line for the others. */
export function checkPolicy({ files, notices }: PolicyStanding, { environment }: Where): readonly Check[] {
  const there = files.filter(({ isThere }) => isThere);
  const faulty = there.filter(({ fault }) => fault !== null);
  const good = there.filter(({ fault }) => fault === null);
  const accept = wispLine(environment, ["accept"]);
  // Also of a file that is gone, and of one whose copy counts for nothing.
  const isWaiting = files.some(({ fault, waits }) => fault === null && waits !== null);
  const none = faulty.length === 0 ? "no rules" : "no other rules";
  const standing = good.length === 0 ? none : good.map(rulesText).join(", ");
  const told =
    notices.length === 0
      ? ""
      : `; ${notices.map((notice) => shownText(notice).replace(/wisp accept$/, () => accept)).join("; ")}`;
  const line = isWaiting
    ? warning("policy", `${standing}${told}`, accept)
    : notices.length > 0 && faulty.length === 0
      ? warning("policy", `${standing}${told}`, null)
      : ok("policy", standing);
  return [...faulty.map(faultyLine), line];
}

function faultyLine({ name, fault }: FileStanding): Check {
  const text = [fault?.message, fault?.why].filter((one) => one !== undefined && one !== null).join(". ");
  const named = text.startsWith(name) ? text : `${name}: ${text}`;
  return failure("policy", shownText(named), shownText(fault?.fix ?? ""));
}

function rulesText({ name, rules }: FileStanding): string {
  return `${shownText(name)}: ${rules} ${rules === 1 ? "rule" : "rules"}`;
}

/** What of `config.json` is not in force, because it is looser than what was accepted, or may be. */
export function checkAccepted(
  config: Pick<LoadedConfig, "waiting" | "distrust">,
  { environment }: Where,
): Check {
  const { waiting, distrust } = config;
  const accept = wispLine(environment, ["accept"]);
  const keys = waiting.map(
    ({ key, accepted }) => `${key} (in force: ${shownText(JSON.stringify(accepted))})`,
  );
  if (distrust !== null) {
    const why = `the accepted copy of config.json counts for nothing: ${shownText(distrust)}`;
    return warning("accepted", [`${why}; the strictest settings hold`, ...keys].join(", "), accept);
  }
  if (waiting.length === 0) return ok("accepted", "nothing in config.json waits");
  return warning("accepted", `config.json waits: ${keys.join(", ")}`, accept);
}

/** What no configuration takes away. */
export function floors(): Check {
  return ok(
    "floors",
    `whatever is configured, a call asks that ${[...dangerReasons, ...floorReasons].join(", ")}`,
  );
}
