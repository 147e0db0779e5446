/**
 * How a banner becomes the words of a program, for each program that can post one. Texts are shown already; what a
 * program would still read into them (options, markup, escapes) is taken from it here.
 */
import { nodeNotifierRoute } from "./node-notifier.js";
import type { BannerTexts, Desktop, Route } from "./route.js";
import { bannerEnvironment, type Environment, findProgram } from "./surroundings.js";

/** The routes in the order in which they are tried. `nodeNotifier` finds that package and throws where it is missing. */
export function routesOf(
  desktop: Desktop,
  environment: Environment,
  nodeNotifier: () => string,
): readonly Route[] {
  const last = nodeNotifierRoute(desktop, environment, nodeNotifier);
  switch (desktop) {
    case "mac":
      return [terminalNotifier, osascript].map((one) => onPath(one, environment)).concat(last);
    case "windows":
    case "freedesktop":
      return [onPath(notifySend, environment), last];
    default:
      return desktop satisfies never;
  }
}

/** A program that is found by its name. */
interface NamedProgram extends Pick<Route, "name" | "hasPosted"> {
  readonly words: (texts: BannerTexts) => readonly string[];
}

function onPath({ name, hasPosted, words }: NamedProgram, environment: Environment): Route {
  return {
    name,
    hasPosted,
    prepare(texts) {
      const path = findProgram(name, environment);
      if (path === null) return "not found in PATH";
      return { path, args: words(texts), environment: bannerEnvironment(environment), input: null };
    },
  };
}

/**
 * Its options are read like defaults of an application: a value with `-` in front would be the next option, one with
 * `(`, `{`, `[` or `<` a list. A backslash in front is what it takes off again.
 */
const terminalNotifier: NamedProgram = {
  name: "terminal-notifier",
  words: ({ title, body }) => ["-title", `\\${title}`, "-message", `\\${body}`],
  hasPosted: ({ stdout }) => /^\s*(\* Notification delivered\.?)?\s*$/.test(stdout),
};

/** The texts are arguments of the script and no part of it. */
const osascript: NamedProgram = {
  name: "osascript",
  words: ({ title, body }) => [
    "-e",
    "on run argv",
    "-e",
    "display notification (item 2 of argv) with title (item 1 of argv)",
    "-e",
    "end run",
    "--",
    title,
    body,
  ],
  hasPosted: ({ stdout }) => stdout.trim() === "",
};

/** Of the two texts only the body is markup, and only in the body are backslashes read as in C. */
const notifySend: NamedProgram = {
  name: "notify-send",
  words: ({ title, body }) => ["--app-name=wisp", "--", title, markupOf(body).replaceAll("\\", "\\\\")],
  hasPosted: ({ stdout, stderr }) => stdout === "" && stderr === "",
};

function markupOf(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
