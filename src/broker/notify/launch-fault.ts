/** Why a program that was started did not post a banner, in words for its receipt. */
import { type LaunchEnding, longestLaunchMs } from "./launch.js";
import type { Printed } from "./route.js";

/** Null when it posted. Holds what the program printed: not yet safe to show. */
export function launchFault(ending: LaunchEnding, hasPosted: (printed: Printed) => boolean): string | null {
  switch (ending.ending) {
    case "exited":
      return exitFault(ending, hasPosted);
    case "died":
      return `was ended by ${ending.signal}`;
    case "hung":
      return `did not end within ${longestLaunchMs / 1_000} s`;
    case "cancelled":
      return "cancelled";
    case "not_started":
      return `could not be started (${ending.errno})`;
    default:
      return ending satisfies never;
  }
}

function exitFault(ending: Exited, hasPosted: (printed: Printed) => boolean): string | null {
  const { code, stdout, stderr } = ending;
  if (code !== 0) return `ended with ${code}${quoted(stderr || stdout)}`;
  if (hasPosted(ending)) return null;
  return stdout + stderr === ""
    ? "did not say that it posted"
    : `printed what it does not print${quoted(stdout || stderr)}`;
}

type Exited = Extract<LaunchEnding, { readonly ending: "exited" }>;

function quoted(text: string): string {
  const line = text.trim().split("\n")[0] ?? "";
  return line === "" ? "" : `: ${line}`;
}
