/** `notify.command`: a program of the person's that carries banners further, to a telephone or a chat. */
import type { Clock } from "../system/clock.js";
import type { Launch } from "./launch.js";
import { launchFault } from "./launch-fault.js";
import type { Banner, Notifier } from "./notifier.js";
import { receiptOf, shownBanner, skippedRoute } from "./shown-banner.js";
import { bannerEnvironment, type Environment, findProgram } from "./surroundings.js";

/** The program, and how it is started. */
export interface CommandNotifierOptions {
  readonly clock: Clock;
  readonly launch: Launch;
  /** Its words; the first is an absolute path, or a name to be found in PATH. */
  readonly argv: readonly string[];
  /** The server's own; the program sees little of it. */
  readonly environment: Environment;
}

const route = "notify.command";

/**
 * Runs the program once for each banner, with one object of JSON and a newline on its standard input, in which the body is
 * that for outside and never the command. It may print what it likes; only ending with 0 within 5 s is `posted`.
 */
export function createCommandNotifier(options: CommandNotifierOptions): Notifier {
  const { clock, launch, environment } = options;
  const [name = "", ...args] = options.argv;

  async function whyNotPosted(banner: Banner, signal: AbortSignal): Promise<string | null> {
    const path = findProgram(name, environment);
    if (path === null) return `${name} is neither an absolute path of a program nor found in PATH`;
    const input = `${JSON.stringify(messageOf(banner, clock.now()))}\n`;
    const program = { path, args, environment: bannerEnvironment(environment), input };
    return launchFault(await launch(program, signal), () => true);
  }

  return {
    async post(banner, signal) {
      // What would run may hold a password or a token; it stays on this machine, where a person looks at it.
      const shown = shownBanner({ ...banner, body: banner.outside });
      const why = signal.aborted ? "cancelled" : await whyNotPosted(shown, signal);
      const how =
        why === null
          ? ({ outcome: "posted", route, skipped: [] } as const)
          : ({ outcome: "failed", route: null, skipped: [skippedRoute(route, why)] } as const);
      return receiptOf(shown, how, clock.now());
    },
  };
}

/** What leaves the machine is this list and nothing else: no command, no path, no agent's reasons, no environment. */
function messageOf({ title, body, source, request, level, client, project }: Banner, at: number) {
  return { v: 1, title, body, source, request, level, client, project, at };
}
