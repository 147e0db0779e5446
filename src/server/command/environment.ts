/**
 * The environment of an approved command: listed names only. Names that load code into whatever runs (BASH_ENV, LD_*,
 * NODE_OPTIONS, …) or move a program's settings (XDG_CONFIG_HOME, GIT_CONFIG_*, …) are not on the list, so a client's
 * configuration cannot add to what was shown. PATH and HOME are: as in the person's own shell, the one says which
 * program a bare name means (a request names the file that was found), the other where programs look for settings.
 * Of PATH only absolute entries: with `.` in it, a file in the working directory would be what a name means.
 */
import { absolutePathOf, homeDirectoryOf } from "../../broker/index.js";

const passed = new Set([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LANGUAGE",
  "TZ",
  "TMPDIR",
  "SSH_AUTH_SOCK",
]);
const passedPattern = /^LC_[A-Z]+$/;

/** Nobody is there to page through output or to type a password. */
const fixed = { TERM: "dumb", PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0" };

/** Variables by name, as a command finds them. */
export type Environment = Readonly<Record<string, string>>;

/** What of `environment` a command gets to see. */
export function smallEnvironment(environment: Readonly<Record<string, string | undefined>>): Environment {
  const small: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    const isPassed = passed.has(name) || passedPattern.test(name);
    if (isPassed && value !== undefined && value !== "") small[name] = value;
  }
  // Said also where the client says nothing: a shell that has to find it out could find another one than rules mean.
  return { ...small, ...fixed, PATH: absolutePathOf(environment), HOME: homeDirectoryOf(environment) };
}
