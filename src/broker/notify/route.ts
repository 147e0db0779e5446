/** One way of putting a banner on a desktop, and which kinds of desktop there are. */
import type { Program } from "./launch.js";

/** The two texts of a banner, safe to show. */
export interface BannerTexts {
  readonly title: string;
  readonly body: string;
}

/** What a program printed before it ended with 0. */
export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/** One program that can post. */
export interface Route {
  readonly name: string;
  /** What to start, or why it cannot be. */
  prepare(texts: BannerTexts): Program | string;
  /** Did it post? A program that says something else than it does when it posts did something else. */
  hasPosted(printed: Printed): boolean;
}

/** What kind of desktop can be reached: Apple's, Windows' from the inside or from its Linux, or freedesktop.org's. */
export type Desktop = "mac" | "windows" | "freedesktop";

/** `platform` and `release` as Node tells them. */
export function desktopOf(platform: NodeJS.Platform, release: string): Desktop {
  if (platform === "darwin") return "mac";
  const isLinuxInWindows = platform === "linux" && release.toLowerCase().includes("microsoft");
  return platform === "win32" || isLinuxInWindows ? "windows" : "freedesktop";
}
