/**
 * What of the person's files waits to be accepted or cannot be used, as every face says it. A program of its own: rules and
 * seals take longer to load than a verb to run, and most homes have none of these files.
 */
import { type Home, noticesOfConfig, settingsSource, shownText } from "../broker/index.js";
import { policyOf, secretOf } from "./policy-here.js";
import { wispLine } from "./quote.js";
import type { Seat } from "./seat.js";

/** What is needed of a seat to look at them. */
export type NoticingSeat = Pick<Seat, "clock" | "environment" | "directory">;

/**
 * Returns what looks at the files of `home`, which was judged, and of the projects around, and says a line for each thing,
 * safe to print. Cheap to ask again: only a file that changed is read. Makes nothing.
 */
export function fileNotices(home: Home, seat: NoticingSeat): () => readonly string[] {
  const keys = secretOf(home, seat);
  const policy = policyOf(home, keys, seat);
  const settings = settingsSource({ home: home.path, keys, clock: seat.clock, onChange: () => {} });
  const accept = wispLine(seat.environment, ["accept"]);
  return () => {
    const config = settings.current();
    const { fault } = config;
    const faulty = fault === null ? [] : [fault.message, fault.why].filter((text) => text !== null);
    return [
      ...(faulty.length === 0 ? [] : [shownText(faulty.join(". "))]),
      ...noticesOfConfig(config, accept).map(shownText),
      ...policy.standing().notices.map((notice) => shownText(notice).replace(/wisp accept$/, () => accept)),
    ];
  };
}
