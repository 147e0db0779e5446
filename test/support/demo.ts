/** The built demo in places of its own, and what it printed. */
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { tempDirectory } from "./temp-home.js";

/** Where a demo runs. */
export interface Places {
  /** Everything that the demo may touch, and what it must leave as it was. */
  readonly temporary: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Removed with the running test. */
export function makePlaces(): Places {
  const root = tempDirectory();
  const [temporary, home] = [join(root, "tmp"), join(root, "home")];
  mkdirSync(temporary);
  mkdirSync(home);
  const environment = { PATH: process.env.PATH ?? "", HOME: home, TMPDIR: temporary };
  return { temporary, home, environment };
}

/** What of it stands in either place. */
export const leftBehind = ({ temporary, home }: Places): readonly string[] => [
  ...readdirSync(temporary),
  ...readdirSync(home),
];

/** What the steps called `name` say, in order; of a folded one its first line. */
export function steps(output: string, name: string): readonly string[] {
  const pattern = new RegExp(`^ +\\d+\\.\\d\\d s  ${name} +(.*)$`, "gm");
  return [...output.matchAll(pattern)].map((match) => match[1] ?? "");
}

/** Every step of the scene about the client that does not wait, by its name and, but for ids, what it says. */
export function laterSteps(output: string): readonly (readonly [string, string])[] {
  const scene = output
    .slice(output.indexOf("\n4. "))
    .replaceAll(/(request|process) ([a-z0-9]{8}|\d+)\b/g, "$1 …");
  const found = scene.matchAll(/^ +\d+\.\d\d s {2}(\w+) +(.*)$/gm);
  return [...found].map((match) => [match[1] ?? "", match[2] ?? ""]);
}

/** How many the demo makes. */
export const promises = 8;
/** All but the one about a yes that was used. */
export const promisesWithoutYes = promises - 1;
