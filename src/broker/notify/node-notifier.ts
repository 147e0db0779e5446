/**
 * The last route: the package node-notifier. Invariant: it runs in a process of its own, because it raises errors that
 * nobody can catch and waits without end, and only in those of its ways that start a program without a shell.
 */
import { pathToFileURL } from "node:url";
import type { Desktop, Route } from "./route.js";
import { bannerEnvironment, type Environment } from "./surroundings.js";

/** `find` names the package's entry file, and throws where it is not installed; called for each banner that comes this far. */
export function nodeNotifierRoute(desktop: Desktop, environment: Environment, find: () => string): Route {
  return {
    name: "node-notifier",
    hasPosted: ({ stdout }) => stdout === posted,
    prepare({ title, body }) {
      const way = ways[desktop];
      if (way === null) return "here it can only start notify-send, and through a shell";
      const file = foundBy(find);
      if (file === null) return "not installed";
      // A blank in front: the programs behind it would take a text that begins with `-` for an option.
      const texts = [title, body].map((text) => (text.startsWith("-") ? ` ${text}` : text));
      return {
        path: process.execPath,
        args: ["-e", script, "--", pathToFileURL(file).href, way, ...texts],
        environment: bannerEnvironment(environment),
        input: null,
      };
    },
  };
}

/** The class that posts there by `execFile`. The one for freedesktop.org makes a line for a shell. */
const ways: Readonly<Record<Desktop, string | null>> = {
  mac: "NotificationCenter",
  windows: "WindowsToaster",
  freedesktop: null,
};

function foundBy(find: () => string): string | null {
  try {
    return find();
  } catch {
    // Whoever only copied the programs has no packages beside them.
    return null;
  }
}

/** What the script prints when, and only when, the banner was handed over. */
const posted = "posted";

/**
 * The package calls back without an error also when its program could not be started or failed, so `execFile` is
 * listened to. Exit codes 1 to 5 are how the Windows program says what became of a toast it did show.
 */
const script = `
const children = require("node:child_process");
const { execFile } = children;
let fault = null;
children.execFile = (file, args, done) =>
  execFile(file, args, (error, ...rest) => {
    if (error && !(error.code >= 1 && error.code <= 5)) fault = error;
    done(error, ...rest);
  });
const [, url, way, title, message] = process.argv;
const end = (error) => {
  if (error) process.stderr.write(String(error.message ?? error));
  else process.stdout.write("${posted}");
  // The package removes its pipe right after it calls back.
  process.nextTick(() => process.exit(error ? 1 : 0));
};
import(url).then(({ default: notifiers }) => {
  const notifier = new notifiers[way]({ withFallback: false });
  notifier.notify({ title, message, wait: false, timeout: 3 }, (error) => end(fault ?? error));
}).catch(end);
`;
