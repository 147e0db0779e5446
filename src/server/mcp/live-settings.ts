/** The configuration of a connection at each use, and what is said where it is not what the file says, or not any more. */
import { isDeepStrictEqual } from "node:util";
import {
  type AuditEvent,
  type Clock,
  type ConfigChange,
  configNotices,
  ensureHome,
  type Home,
  type LoadedConfig,
  type Notifier,
  type NotifySettings,
  noticesOfConfig,
  rootSecretOf,
  type SettingsSource,
  settingsSource,
  shownText,
} from "../../broker/index.js";

/** Where the file is, and who hears of it. */
export interface LiveSettingsParts {
  /** The home whose configuration counts. */
  readonly home: Home;
  readonly clock: Clock;
  /** The command that accepts what waits, safe to show. */
  readonly acceptLine: string;
  /** Writes down what has happened already. */
  readonly note: (event: AuditEvent) => void;
  /** One line for whoever looks at what the server says, safe to show. */
  readonly say: (line: string) => void;
}

/** Reads the file once, to say at once what is wrong with it; makes nothing. */
export function liveSettings({ home, clock, acceptLine, note, say }: LiveSettingsParts): SettingsSource {
  const keys = rootSecretOf({ path: home.path, ensureHome: () => ensureHome(home, clock), clock });
  const onChange = (change: ConfigChange): void => {
    const { keys, waiting, fault, distrust } = change;
    const why = fault?.message ?? (distrust === null ? null : `its accepted copy: ${distrust}`);
    const details = {
      how: "read",
      keys,
      waiting,
      fault: why === null ? null : shownText(why),
    } as const;
    note({ kind: "config.changed", call: null, details });
    say(changedLine(change, acceptLine));
  };
  const source = settingsSource({ home: home.path, keys, clock, onChange });
  for (const line of firstLines(source.current(), acceptLine)) say(line);
  return source;
}

function firstLines(config: LoadedConfig, acceptLine: string): readonly string[] {
  const fault = config.fault === null ? [] : [shownText(config.fault.message)];
  return [...fault, ...noticesOfConfig(config, acceptLine)];
}

function changedLine(change: ConfigChange, acceptLine: string): string {
  const { keys, fault } = change;
  const notices = configNotices(change, acceptLine);
  if (fault !== null) return [shownText(fault.message), ...notices].join("; ");
  const changed =
    keys.length === 0 ? "config.json changed, and nothing of what is in force" : inForceNow(keys);
  return [changed, ...notices].join("; ");
}

function inForceNow(keys: readonly string[]): string {
  return `config.json changed; in force from now on: ${keys.join(", ")}`;
}

/** Makes notifiers anew only where other ones are wanted: what they know of their places stays with them. */
export function notifiersOf(
  wanted: () => NotifySettings,
  create: (wanted: NotifySettings) => readonly Notifier[],
): () => readonly Notifier[] {
  let made: { readonly how: unknown; readonly notifiers: readonly Notifier[] } | null = null;
  return () => {
    const settings = wanted();
    const how = [settings.enabled, settings.command];
    if (made === null || !isDeepStrictEqual(made.how, how)) made = { how, notifiers: create(settings) };
    return made.notifiers;
  };
}
