/** All places where this machine's banners go: its desktop, and beside it the program of the person's. */
import type { Clock } from "../system/clock.js";
import { createCommandNotifier } from "./command.js";
import { createDesktopNotifier } from "./desktop.js";
import { createLaunch } from "./launch.js";
import type { Notifier } from "./notifier.js";
import type { Desktop } from "./route.js";
import type { Environment } from "./surroundings.js";
import { createSwitchedOffNotifier } from "./switched-off.js";

/** What the person wants. */
export interface WantedNotifiers {
  /** Are banners shown on the desktop? */
  readonly enabled: boolean;
  /** The words of a program that carries them further; null for none. It gets them also where the desktop is off. */
  readonly command: readonly string[] | null;
}

/** The machine they are on. */
export interface NotifiersOptions {
  readonly clock: Clock;
  readonly desktop: Desktop;
  /** This process's own; programs see little of it. */
  readonly environment: Environment;
  /** Finds the entry file of the package node-notifier; throws where it is not installed. */
  readonly nodeNotifier: () => string;
}

/** Starts nothing before the first post. The desktop comes first; it is always there, if only to say that it is off. */
export function createNotifiers(
  { enabled, command }: WantedNotifiers,
  machine: NotifiersOptions,
): readonly Notifier[] {
  const { clock, environment } = machine;
  const launch = createLaunch(clock);
  const onDesktop = enabled
    ? createDesktopNotifier({ ...machine, launch })
    : createSwitchedOffNotifier(clock);
  return command === null
    ? [onDesktop]
    : [onDesktop, createCommandNotifier({ clock, launch, argv: command, environment })];
}
