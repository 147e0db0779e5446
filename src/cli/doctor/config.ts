/** Whether `config.json` is in force, and what it changes. */
import { defaultSettings, type LoadedConfig, shownText } from "../../broker/index.js";
import { type Check, failure, ok, warning } from "./check.js";

/** Judges what is in force as every server does when it asks; what waits to be is another check. */
export function checkConfig({ settings, fault }: Pick<LoadedConfig, "settings" | "fault">): Check {
  if (fault !== null) {
    const detail = [fault.message, fault.why].filter((text) => text !== null).join(". ");
    return failure("config", shownText(detail), shownText(fault.fix));
  }
  const changes = differences(defaultSettings, settings);
  const detail = changes.length === 0 ? "defaults" : changes.map(shownText).join(", ");
  if (settings.approval.outOfBand) return ok("config", detail);
  const what = "only a client's dialog asks, and a client without one is refused";
  return warning(
    "config",
    `${detail}: ${what}`,
    "To be asked in a terminal, too, remove approval.outOfBand.",
  );
}

/** `approval.timeoutSeconds = 30` for each key of `value` that is not as in `from`, in order; a text for each. */
function differences(from: unknown, value: unknown, path = ""): readonly string[] {
  // The words of a program may hold a key to somewhere; which program it is says enough.
  if (Array.isArray(value)) return [`${path} = ${JSON.stringify(value.slice(0, 1))}`];
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
