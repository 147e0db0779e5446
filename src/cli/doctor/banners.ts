/** Whether a person who is not looking here can be told that something waits, and what may keep a banner from being seen. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type Desktop,
  foundRoutes,
  isProgramThere,
  type NotifySettings,
  shownText,
} from "../../broker/index.js";
import { wispLine } from "../../face/quote.js";
import { type Check, ok, warning } from "./check.js";

/** Variables by name. */
type Environment = Readonly<Record<string, string | undefined>>;

/** What kind of desktop there is, and where a package lies that can reach some. */
export interface Desktops {
  readonly desktop: Desktop;
  readonly nodeNotifier: () => string;
}

/** Looks for the routes and starts none of them: that a program is there does not say that it shows anything. */
export function checkBanners(
  { enabled, command }: NotifySettings,
  { desktop, nodeNotifier }: Desktops,
  environment: Environment,
): Check {
  const routes = enabled ? foundRoutes(desktop, environment, nodeNotifier) : [];
  const found = routes.filter(({ why }) => why === null).map(({ name }) => name);
  const missing = routes.flatMap(({ name, why }) => (why === null ? [] : [`${name}: ${why}`]));
  const own = command?.[0] ?? null;
  const isOwnThere = own !== null && isProgramThere(own, environment);
  const ways = [...found, ...(isOwnThere ? [`${shownText(own)} (notify.command)`] : [])];
  const off = enabled ? [] : ["switched off on the desktop (notify.enabled)"];
  const detail = [ways.length === 0 ? "none" : ways.join(", then "), ...off].join("; ");
  if (own !== null && !isOwnThere) {
    return warning("banners", `${detail}; not found: ${shownText(own)} (notify.command)`, null);
  }
  // Whoever switched them off wants none.
  if (!enabled) return ok("banners", detail);
  if (ways.length === 0)
    return warning("banners", `no route works here: ${missing.join("; ")}`, install[desktop]);
  const hints = found.length === 0 ? [] : hintsFor(desktop, environment);
  if (hints.length === 0) return ok("banners", detail);
  return warning("banners", [detail, ...hints].join("; "), wispLine(environment, ["doctor", "--ping"]));
}

/** What brings the first route there. */
const install: Readonly<Record<Desktop, string>> = {
  mac: "brew install terminal-notifier",
  windows: "npm install --global node-notifier",
  freedesktop: "Install notify-send (Debian, Ubuntu: sudo apt install libnotify-bin).",
};

/** Where a banner that was posted is known not to be seen. */
function hintsFor(desktop: Desktop, environment: Environment): readonly string[] {
  const hints: string[] = [];
  if (isSet(environment, "SSH_CONNECTION") || isSet(environment, "SSH_TTY")) {
    hints.push(
      "over ssh they show on that machine's desktop, not on yours (notify.command can carry them to you)",
    );
  }
  if (desktop === "mac" && isSet(environment, "TMUX")) {
    hints.push("within tmux macOS may show nothing (notify.command can carry them further)");
  }
  if (desktop === "windows" && isSet(environment, "WSL_DISTRO_NAME")) {
    hints.push("in Windows' Linux the toast program must be executable, else a receipt says EACCES");
  }
  if (desktop === "freedesktop" && !hasSessionBus(environment)) {
    hints.push("no session bus can be reached from here, so notify-send may find nobody to show them");
  }
  return hints;
}

function isSet(environment: Environment, name: string): boolean {
  return (environment[name] ?? "") !== "";
}

/** By its address, or where systemd puts it. */
function hasSessionBus(environment: Environment): boolean {
  if (isSet(environment, "DBUS_SESSION_BUS_ADDRESS")) return true;
  const runtime = environment.XDG_RUNTIME_DIR ?? "";
  return runtime !== "" && existsSync(join(runtime, "bus"));
}
