/** Which server is behind the gate: what it is started as, or its address. Another one is not trusted as this one was. */
import {
  canonicalJson,
  homeDirectoryOf,
  programOf,
  sha256Hex,
  shownText,
  withoutCredentials,
} from "../../broker/index.js";
import { quoteArgv } from "../command/quote.js";
import type { ServerIdentity } from "./calls/tool-subject.js";
import { dependsOnDirectory, type StartedFrom } from "./started-from.js";

/** What the gate stands in front of. */
export type UpstreamPlace =
  | { readonly kind: "command"; readonly argv: readonly [string, ...string[]] }
  | { readonly kind: "address"; readonly url: URL };

/** The program is looked for as it will be when it is started there. */
export function identityIn(
  name: string,
  place: UpstreamPlace,
  { environment, directory }: StartedIn,
): ServerIdentity {
  const found =
    place.kind === "address" ? null : programOf({ argv: place.argv, line: "", directory }, environment);
  // Null where the first word leads to no file, and then it cannot be started either.
  const from = { directory, home: homeDirectoryOf(environment) };
  const { what, text } = placeOf(place, found?.program.path ?? null, from);
  const hash = sha256Hex(`wisp/server/v1\n${canonicalJson(what)}`);
  // Two that look alike here are told apart by it: a password in an address is not shown.
  return { name, hash, text: `${text} (${hash.slice(0, 12)})` };
}

interface StartedIn {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly directory: string;
}

function placeOf(
  place: UpstreamPlace,
  program: string | null,
  from: StartedFrom,
): { readonly what: object; readonly text: string } {
  switch (place.kind) {
    case "command": {
      const [word, ...rest] = place.argv;
      const argv = [program ?? word, ...rest];
      const text = shownText(quoteArgv(argv));
      if (!dependsOnDirectory(place.argv, program, from)) return { what: { argv }, text };
      const { directory } = from;
      return { what: { argv, directory }, text: `${text} in ${shownText(quoteArgv([directory]))}` };
    }
    case "address": {
      const { url } = place;
      return { what: { url: url.href }, text: shownText(withoutCredentials(url).href) };
    }
    default:
      return place satisfies never;
  }
}
