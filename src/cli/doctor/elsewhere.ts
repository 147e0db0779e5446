/** Servers of ours that use another home than the one that doctor looks at: what they ask, nobody is shown here. */
import { type Home, shownText } from "../../broker/index.js";
import type { ServerElsewhere } from "../../face/own-look.js";
import { wispLine } from "../../face/quote.js";
import { type Check, warning } from "./check.js";

const mostNamed = 8;

/** One line, with the command that looks at the first of their homes; none where there are no such servers. */
export function checkElsewhere(servers: readonly ServerElsewhere[], { path }: Home): readonly Check[] {
  const [first] = servers;
  if (first === undefined) return [];
  const named = servers.slice(0, mostNamed).map(({ pid, path: at }) => `process ${pid}: ${shownText(at)}`);
  const more = servers.length > mostNamed ? `, and ${servers.length - mostNamed} more` : "";
  const what = servers.length === 1 ? "a live server uses" : `${servers.length} live servers use`;
  return [
    warning(
      "elsewhere",
      `${what} another home than ${shownText(path)}, so nothing of theirs shows here: ${named.join(", ")}${more}`,
      wispLine({ WISP_HOME: first.path }, ["doctor"]),
    ),
  ];
}
