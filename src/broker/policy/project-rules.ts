/**
 * The rules of all projects around a call. Invariant: a file that is there is either in force or makes everything ask; and
 * however many there are, and whatever stands in them, reading them takes no long time.
 */
import { lookAt, lookThrough } from "../files/look.js";
import { type LoadedRules, type RuleFiles, unusableRules } from "./load.js";
import type { PathLook } from "./path-place.js";
import type { ProjectFile, RealDirectory } from "./project-files.js";
import { excessOf, noSize, type RuleSize } from "./rule-size.js";

/** One file, and where it is. */
export interface ProjectRules extends LoadedRules {
  readonly path: string;
}

const mostFiles = 32;
const mostBytes = 1024 * 1024;
/** In all of them together. */
const mostTogether: RuleSize = { rules: 2_000, expressions: 100, tested: 64 * 1024 };

/** Those that are there, the nearest first; `placesAbove` says where they may be. No more is read than is allowed: then everything asks. */
export function rulesOfProjects(
  files: Pick<RuleFiles, "ofProject">,
  directories: readonly string[],
  placesAbove: (directories: readonly RealDirectory[]) => readonly ProjectFile[],
  look: Pick<PathLook, "real">,
): readonly ProjectRules[] {
  // Of one that no text can name it says so much as a text can; one that cannot be followed nothing runs in.
  const around = directories.map((written) => ({ written, real: look.real(written) ?? written }));
  const found: ProjectRules[] = around.flatMap((one) => unreadablePlace(one) ?? []);
  let size = { bytes: 0, ...noSize };
  for (const place of placesAbove(around)) {
    const stats = lookAt(place.path);
    const bytes = Number(stats?.size ?? 0);
    if (found.length === mostFiles) {
      if (stats === null) continue;
      return [...found, tooMuch(place, `more than ${mostFiles} files of projects count here`)];
    }
    if (size.bytes + bytes > mostBytes) {
      return [
        ...found,
        tooMuch(place, `files of projects that count here hold more than ${mostBytes} bytes`),
      ];
    }
    const loaded = files.ofProject(place.path, place.project, stats);
    if (!loaded.isThere) continue;
    size = added(size, loaded.size);
    const excess = excessOf(size, mostTogether);
    if (excess !== null)
      return [...found, tooMuch(place, `files of projects that count here hold ${excess}`)];
    found.push({ path: place.path, ...loaded });
  }
  return found.length === 0 ? noProjects : found;
}

const noProjects: readonly ProjectRules[] = [];

type Size = LoadedRules["size"];

function added(a: Size, b: Size): Size {
  return {
    bytes: a.bytes + b.bytes,
    rules: a.rules + b.rules,
    expressions: a.expressions + b.expressions,
    tested: a.tested + b.tested,
  };
}

function tooMuch({ path }: ProjectFile, why: string): ProjectRules {
  return { path, ...unusableRules(path, path, [why]) };
}

/** A path that is no UTF-8 is read as another one, at which nothing stands: what is forbidden there cannot be told. */
function unreadablePlace({ written, real }: RealDirectory): ProjectRules | null {
  if (!written.includes("\ufffd") && !real.includes("\ufffd")) return null;
  const lost = [written, real].find((one) => one.includes("\ufffd") && lookThrough(one) === null);
  if (lost === undefined) return null;
  const path = `${lost}/.wisp/policy.json`;
  const why = "the path of its directory is not UTF-8, so it cannot be looked for";
  return { path, ...unusableRules(path, path, [why], "Rename the directory.") };
}
