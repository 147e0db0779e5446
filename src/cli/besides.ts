/** What there is to say beside the requests that can be answered. */
import { type Listing, type Swept, shownText } from "../broker/index.js";

/** A line for each kind of thing, safe to print; "" where there is nothing to say. */
export function besides({ requests, newer, unreadable }: Listing, swept: readonly Swept[]): string {
  const stale = swept.filter(({ what }) => what === "stale" || what === "decided, not run");
  const nothing = newer.length === 0 ? "Nothing waits." : "Nothing waits that this wisp can answer.";
  const lines = [
    ...(requests.length === 0 ? [nothing] : []),
    ...counted(
      stale.map(({ id }) => id),
      "request was swept: its server is gone",
      "requests were swept: their servers are gone",
    ),
    ...counted(
      newer,
      "request was filed by a newer wisp and cannot be answered here",
      "requests were filed by a newer wisp and cannot be answered here",
    ),
    ...counted(
      unreadable.map(({ name, reason }) => `${name} (${reason})`),
      "file here is not a request",
      "files here are not requests",
    ),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

const mostNamed = 10;

/** `2 files here are not requests: a (why), b (why)` */
function counted(names: readonly string[], one: string, several: string): readonly string[] {
  if (names.length === 0) return [];
  const named = names.slice(0, mostNamed).map(shownText).join(", ");
  const rest = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : "";
  return [`${names.length} ${names.length === 1 ? one : several}: ${named}${rest}`];
}
