/** The one place in which the texts of a banner become safe to show, short, and never empty. */
import { shownText } from "../request/shown.js";
import type { Banner, BannerReceipt, Skipped } from "./notifier.js";

/** What desktops show of a title in one line; the limit of the `notify` tool as well. */
const longestTitle = 64;
/** What desktops show of a body before they cut it themselves. */
const longestBody = 256;
/** Enough for what a program says when it fails. */
const longestWhy = 200;

/** The banner as it is shown; to be made once, because shown text that is shown again changes. */
export function shownBanner(banner: Banner): Banner {
  const { title, body, client, project } = banner;
  return {
    ...banner,
    // A title that is missing makes some programs fail, and others take the body for it.
    title: title.trim() === "" ? "wisp" : shownWithin(title, longestTitle),
    body: shownWithin(body, longestBody),
    client: client === null ? null : shownWithin(client, longestTitle),
    project: project === null ? null : shownWithin(project, longestTitle),
  };
}

/** How posting `banner`, which was made by `shownBanner`, ended. */
export function receiptOf(
  banner: Banner,
  how: Pick<BannerReceipt, "outcome" | "route" | "skipped">,
  at: number,
): BannerReceipt {
  const { title, body, source } = banner;
  return { title, body, source, ...how, at };
}

/** A route that was passed over; `why` may hold what a program printed. */
export function skippedRoute(route: string, why: string): Skipped {
  return { route, why: shownWithin(why, longestWhy) };
}

/** `text` safe to show and cut to `most` characters, of which the last is then `…`; no escape is cut in two. */
function shownWithin(text: string, most: number): string {
  const all = [...shownText(text).matchAll(piece)].map(([one]) => one);
  if (lengthOf(all) <= most) return all.join("");
  let length = 0;
  const kept = all.findIndex((one) => {
    length += [...one].length;
    return length > most - 1;
  });
  return `${all.slice(0, kept).join("")}…`;
}

function lengthOf(pieces: readonly string[]): number {
  return pieces.reduce((sum, one) => sum + [...one].length, 0);
}

/** What `shownText` writes for one character or one run. */
const piece = /\\u\{[0-9a-f]{1,6}\}|␠×[0-9]+|./gsu;
