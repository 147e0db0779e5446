/** Whether `config.json` is in force, and what it changes. */
import { defaultSettings, type LoadedConfig, shownText } from "../../broker/index.js";
import { type Check, failure, ok } from "./check.js";

/** Judges what was loaded as every server does when it starts to ask. */
export function checkConfig({ settings, fault }: LoadedConfig): Check {
  if (fault !== null) {
    const detail = [fault.message, fault.why].filter((text) => text !== null).join(". ");
    return failure("config", shownText(detail), shownText(fault.fix));
  }
  const changes = differences(defaultSettings, settings);
  return ok("config", changes.length === 0 ? "defaults" : changes.map(shownText).join(", "));
}

/** `approval.timeoutSeconds = 30` for each key of `value` that is not as in `from`, in order; a text for each. */
function differences(from: unknown, value: unknown, path = ""): readonly string[] {
  if (!isObject(value)) return from === value ? [] : [`${path} = ${JSON.stringify(value)}`];
  const known = isObject(from) ? from : {};
  return Object.keys(value).flatMap((key) => {
    // A client may be named like something that every object inherits.
    const before = Object.hasOwn(known, key) ? known[key] : undefined;
    return differences(before, value[key], path === "" ? key : `${path}.${key}`);
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
