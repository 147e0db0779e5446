/**
 * The environment of an approved command: listed names only. Names that make a program load or run something else
 * (BASH_ENV, LD_*, NODE_OPTIONS, …) are not on the list, so a client's configuration cannot add to what was shown.
 */

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
const passedPatterns = [/^LC_[A-Z]+$/, /^XDG_[A-Z]+_HOME$/];

/** Nobody is there to page through output or to type a password. */
const fixed = { TERM: "dumb", PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0" };

const defaultPath = "/usr/local/bin:/usr/bin:/bin";

/** Variables by name, as a command finds them. */
export type Environment = Readonly<Record<string, string>>;

/** What of `environment` a command gets to see. */
export function smallEnvironment(environment: Readonly<Record<string, string | undefined>>): Environment {
  const small: Record<string, string> = { PATH: defaultPath };
  for (const [name, value] of Object.entries(environment)) {
    const isPassed = passed.has(name) || passedPatterns.some((pattern) => pattern.test(name));
    if (isPassed && value !== undefined && value !== "") small[name] = value;
  }
  return { ...small, ...fixed };
}
