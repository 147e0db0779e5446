/** What the configuration says of judging, for whoever judges: a server, and `wisp policy check`. */
import type { Level } from "../request/request.js";
import type { LoadedConfig } from "./load.js";
import { noticesOfConfig } from "./notice.js";

/** As `Policy.judge` takes it. */
export interface Judging {
  readonly threshold: Level;
  readonly persistDays: number;
  readonly notices: readonly string[];
  readonly onceBecause: string | null;
}

/** Of one configuration it is always the same object. */
const judgings = new WeakMap<LoadedConfig, Judging>();

/** All of it, of what is in force. */
export function judgingOf(config: LoadedConfig): Judging {
  const known = judgings.get(config);
  if (known !== undefined) return known;
  const judging = judgingBy(config);
  judgings.set(config, judging);
  return judging;
}

function judgingBy(config: LoadedConfig): Judging {
  const { threshold, persistDays } = config.settings.approval;
  const { fault } = config;
  return {
    threshold,
    persistDays,
    // As the notices of the policy name it: whoever shows them knows the home.
    notices: noticesOfConfig(config, "wisp accept"),
    // It may have meant that each call is asked about: while it is broken nothing is allowed beyond this one.
    onceBecause: fault === null ? null : [`${fault.message}.`, fault.why].join(" "),
  };
}
