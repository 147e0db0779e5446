/** Which routes there are on this machine, without taking any. */
import type { Desktop } from "./route.js";
import { routesOf } from "./routes.js";
import { type Environment, findProgram } from "./surroundings.js";

/** A route, in the order in which it is tried. */
export interface FoundRoute {
  readonly name: string;
  /** Why it cannot be taken, safe to show; null where it can be tried. */
  readonly why: string | null;
}

/** The routes of a desktop. Starts nothing, so that one is found does not say that it works. As `NotifiersOptions`. */
export function foundRoutes(
  desktop: Desktop,
  environment: Environment,
  nodeNotifier: () => string,
): readonly FoundRoute[] {
  return routesOf(desktop, environment, nodeNotifier).map((route) => {
    const program = route.prepare({ title: "", body: "" });
    return { name: route.name, why: typeof program === "string" ? program : null };
  });
}

/** Is there a program of that name or absolute path, as `notify.command` would be started? */
export function isProgramThere(name: string, environment: Environment): boolean {
  return findProgram(name, environment) !== null;
}
