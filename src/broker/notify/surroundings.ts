/** What programs that post banners see of the environment, and where they are looked for. */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What leads to the person's desktop and to nothing else: clients hand keys and tokens to their servers. The last two
 * are how Windows programs are reached from a Linux inside Windows.
 */
const passed = [
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "DBUS_SESSION_BUS_ADDRESS",
  "XDG_RUNTIME_DIR",
  "HOME",
  "LANG",
  "WSL_INTEROP",
  "WSL_DISTRO_NAME",
] as const;

/** The listed variables that are set, and PATH with its absolute entries only. */
export function bannerEnvironment(environment: Environment): Readonly<Record<string, string>> {
  const small: Record<string, string> = { PATH: absoluteEntries(environment).join(delimiter) };
  for (const name of passed) {
    const value = environment[name];
    if (value !== undefined && value !== "") small[name] = value;
  }
  return small;
}

/**
 * The file of a program, or null. A bare name is looked up in the absolute entries of PATH, a path must be absolute:
 * with `.` in either, a file in an agent's directory would be what a name means.
 */
export function findProgram(name: string, environment: Environment): string | null {
  if (name.includes("/")) return isAbsolute(name) && isProgram(name) ? name : null;
  const paths = absoluteEntries(environment).map((entry) => join(entry, name));
  return paths.find(isProgram) ?? null;
}

function absoluteEntries({ PATH = "" }: Environment): readonly string[] {
  return PATH.split(delimiter).filter(isAbsolute);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Not there, or not for this account: the next entry may have it.
    return false;
  }
}
