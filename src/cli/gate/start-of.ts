/** How a client starts the server of an entry, as far as the entry says it. */
import { isAbsolute } from "node:path";
import type { FoundEntry } from "./find-entry.js";
import type { Upstream } from "./gate-line.js";

/** All that is known of it. */
export interface StartOf {
  readonly upstream: Upstream;
  /** The variables of the entry. */
  readonly added: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly directory: string;
}

/** Or what of it only the client knows, in words that follow "because". `directory` is where the command was given. */
export function startOf({ value }: FoundEntry, upstream: Upstream, directory: string): StartOf | string {
  const { env = {}, cwd = directory } = value;
  const others = Object.keys(value).filter((key) => key !== "env" && /^env/i.test(key));
  if (others.length > 0) return `its client reads ${others.join(" and ")} of the entry`;
  if (!areTexts(env)) return "its env is not one of texts";
  if (typeof cwd !== "string" || !isAbsolute(cwd)) return "its cwd is no absolute path";
  const words = upstream.kind === "command" ? upstream.argv : [upstream.url];
  const filled = [...words, cwd, ...Object.values(env)].find((word) => /\$\{|\$[A-Za-z_]/.test(word));
  if (filled !== undefined) return `its client fills in ${JSON.stringify(filled)} first`;
  return { upstream, added: env, directory: cwd };
}

function areTexts(value: unknown): value is Readonly<Record<string, string>> {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((one) => typeof one === "string")
  );
}
