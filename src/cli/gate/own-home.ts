/** The home of a gate, in the env of its entry: a client that has windows seldom knows what was set in a shell. */
import type { Step } from "./change.js";
import { memberOf } from "./entry-text.js";
import { type FoundEntry, valueAt } from "./find-entry.js";

const variable = "WISP_HOME";

/**
 * The steps that make the gate of `entry` use the home at `path`; `behind` is the member that a new env stands behind. Null
 * where the env is written in a way that is not changed here.
 */
export function withOwnHome(entry: FoundEntry, path: string, behind: string): readonly Step[] | null {
  const { syntax, file, place, value } = entry;
  const { env } = value;
  const [key, raw] = [syntax.key(variable), syntax.literal(path)];
  const whole = syntax.object(key, raw);
  if (env === undefined) return [{ kind: "add", key: "env", raw: whole, behind }];
  if (valueAt(env, [variable]) === path) return [];
  const members = syntax.membersAt(file.text, [...place, "env"]);
  const last = members.at(-1);
  if (memberOf(members, variable) !== null) return [{ kind: "write", key: variable, raw, below: "env" }];
  if (last !== undefined) return [{ kind: "add", key: variable, raw, behind: last.key, below: "env" }];
  // An object without members; a table of TOML without any stands elsewhere.
  const isHere = memberOf(syntax.membersAt(file.text, place), "env") !== null;
  return isHere ? [{ kind: "write", key: "env", raw: whole }] : null;
}

/** The steps that take it out again, where nobody knows what stood there before. */
export function withoutOwnHome({ syntax, file, place, value }: FoundEntry): readonly Step[] {
  const { env } = value;
  if (valueAt(env, [variable]) === undefined) return [];
  const isAlone = Object.keys(Object(env)).length === 1;
  const isHere = memberOf(syntax.membersAt(file.text, place), "env") !== null;
  return isAlone && isHere
    ? [{ kind: "remove", key: "env" }]
    : [{ kind: "remove", key: variable, below: "env" }];
}
