/**
 * `wisp demo`: the whole trip on a throw-away home, with the real server under a real client of the official SDK.
 * Invariant: nothing outside the throw-away directory is written, and it is gone when the process is.
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { DirectoryChannel, homeAt, shownText, systemClock } from "../../broker/index.js";
import { answeringLine } from "./command-line.js";
import { runDemo } from "./demo.js";
import { linesOf } from "./keyboard.js";
import { lendTo } from "./lent.js";
import { createNarrator } from "./narrator.js";
import { runInTerminal } from "./terminal.js";
import { makeThrowAway, type ThrowAway } from "./throw-away.js";

const exits = { done: 0, broken: 1, usage: 2, interrupted: 130 } as const;

const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs the demo and resolves with the exit code: 0 when everything was as promised, 1 when it was not, 2 for
 * arguments (it takes none), 130 when it was interrupted.
 */
export async function main(argv: readonly string[]): Promise<number> {
  if (argv.length > 0) {
    process.stderr.write(`wisp demo takes no arguments: ${shownText(argv.join(" "))}\n`);
    return exits.usage;
  }
  // The throw-away directory is for this person alone, whatever mask the shell has.
  process.umask(0o077);
  const stopped = new AbortController();
  const stop = (): void => {
    // The second time somebody is in a hurry.
    if (stopped.signal.aborted) process.exit(exits.interrupted);
    stopped.abort();
  };
  for (const signal of stopSignals) process.on(signal, stop);
  // Nobody reads on (`| head`): then nobody needs the rest.
  process.stdout.on("error", () => stopped.abort());
  const place = makeThrowAway();
  // Also after process.exit and an error that nobody caught.
  process.on("exit", () => removeInAHurry(place));
  try {
    return (await demoIn(place, stopped.signal)) ? exits.done : exits.broken;
  } catch (error) {
    if (stopped.signal.aborted) {
      process.stderr.write(`wisp demo: interrupted; nothing of it is left in ${shownText(place.path)}\n`);
      return exits.interrupted;
    }
    const text = error instanceof Error ? error.message : String(error);
    process.stderr.write(`wisp demo: ${shownText(text)}\n`);
    return exits.broken;
  } finally {
    place.remove();
    for (const signal of stopSignals) process.off(signal, stop);
  }
}

/** A server that nobody waited for may still write there. */
function removeInAHurry(place: ThrowAway): void {
  try {
    place.remove();
  } catch {
    process.stderr.write(`wisp demo: not all of ${shownText(place.path)} could be removed\n`);
  }
}

async function demoIn(place: ThrowAway, signal: AbortSignal): Promise<boolean> {
  const { env, execPath: node, stdin, stdout, stderr } = process;
  const program = join(dirname(fileURLToPath(import.meta.url)), "wisp.cjs");
  const narrator = createNarrator(
    systemClock,
    (text) => void stdout.write(text),
    (stdout.isTTY && stdout.columns) || null,
  );
  const home = homeAt(place.home, false);
  const channel = new DirectoryChannel({ home, clock: systemClock, asker: null, onRefused: () => undefined });
  narrator.line("wisp demo: an agent asks, a person answers, the command runs once or not at all.");
  narrator.line(`All of it in ${place.path}, which is removed at the end.`);
  narrator.line("Banners are off in it (notify.enabled).");
  // A server whose home is refused would fall back to the home directory: that is thrown away, too.
  const environment = { WISP_HOME: place.home, HOME: place.path };
  const PATH = env.PATH ?? "";
  try {
    return await runDemo({
      channel,
      clock: systemClock,
      narrator,
      project: place.project,
      signal,
      server: [node, program, "mcp"],
      environment,
      keyboard: stdin.isTTY
        ? {
            ...linesOf(stdin, (text) => void stderr.write(text), systemClock),
            openFace: (until) => lendTo([node, program, "tui"], environment, until),
          }
        : null,
      answeringLine: (id) => answeringLine(place.home, id, { program, node, path: PATH }),
      typeElsewhere: (line, until) =>
        runInTerminal(line, {
          platform: process.platform,
          environment: { ...environment, PATH },
          signal: until,
        }),
    });
  } finally {
    channel.close();
  }
}
