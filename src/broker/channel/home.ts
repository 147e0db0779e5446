/**
 * Where a channel lives on disk. Nothing here is made before the first ask, and a directory of another program
 * is never taken for ours.
 */
import { existsSync, lstatSync, readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { publish } from "../files/publish.js";
import { readBytes, readJson, sizeLimits } from "../files/read.js";
import { ensureSafeDirectory, judgeDirectory } from "../files/safe-directory.js";
import { WispError } from "../request/errors.js";
import { parseRequestFileName } from "../request/request.js";
import type { Clock } from "../system/clock.js";
import { judgeRequest } from "./listing.js";

/** The places of one home, as absolute paths. */
export interface Home {
  readonly path: string;
  readonly isDefault: boolean;
  readonly pending: string;
  readonly spool: string;
  readonly settled: string;
  readonly rejected: string;
  readonly servers: string;
}

/** The home that `WISP_HOME` names, or `~/.wisp`. Looks at nothing but the working directory's work tree. */
export function resolveHome(environment: Readonly<Record<string, string | undefined>>, cwd: string): Home {
  const named = environment.WISP_HOME;
  const standard = join(homedir(), ".wisp");
  if (named === undefined || named === "") return homeAt(standard, true);
  if (!isAbsolute(named)) throw refused(named, "is not an absolute path");
  const path = resolve(named);
  const tree = workTreeOf(cwd);
  if (tree !== null && (isInside(path, tree) || isInside(realOf(path), realOf(tree)))) {
    throw refused(named, `lies inside the git work tree ${tree}`);
  }
  return homeAt(path, path === standard);
}

/** The places below `path`, which is absolute. Whether anything is there is not looked at. */
export function homeAt(path: string, isDefault: boolean): Home {
  return {
    path,
    isDefault,
    pending: join(path, "pending"),
    spool: join(path, "spool"),
    settled: join(path, "settled"),
    rejected: join(path, "rejected"),
    servers: join(path, "servers"),
  };
}

/** Does the home exist? A reading face finds nothing waiting where there is none, and makes nothing. */
export function isHomeMade(home: Home): boolean {
  return existsSync(home.path);
}

/** Makes the home where it is missing, and refuses one that is not ours. Returns its path. */
export function ensureHome(home: Home, clock: Clock): string {
  ensureSafeDirectory(home.path);
  if (readFormat(home) === null) {
    refuseForeignHome(home);
    publish(home.path, "format", `${formatLine}\n`, clock);
  }
  return home.path;
}

/** Makes and judges `pending/` and the home around it: before every file and every answer. */
export function ensurePending(home: Home, clock: Clock): void {
  ensureHome(home, clock);
  ensureSafeDirectory(home.pending);
}

/** Judges what is there, for a face that only reads: makes nothing. */
export function judgeHome(home: Home): void {
  judgeDirectory(home.path);
  if (readFormat(home) === null) refuseForeignHome(home);
  if (lstatOrNull(home.pending) !== null) judgeDirectory(home.pending);
}

/** Does the home bear our format marker? Looks at nothing else in it. */
export function isMarkedOurs(home: Home): boolean {
  try {
    return readFormat(home) !== null;
  } catch (error) {
    if (error instanceof WispError) return false;
    throw error;
  }
}

const formatLine = "wisp-broker 1";

/** The format marker, or null where there is none. One that names something else is another program's. */
function readFormat(home: Home): string | null {
  const result = readBytes(join(home.path, "format"), sizeLimits.answer);
  if (result.kind === "missing") return null;
  const text = result.kind === "bytes" ? Buffer.from(result.bytes).toString("utf8").trim() : "";
  if (text === formatLine) return text;
  throw new WispError("channel_unsafe", `${join(home.path, "format")} does not say "${formatLine}".`, {
    why: /^wisp-broker \d+$/.test(text)
      ? "A newer wisp made this home."
      : "This directory belongs to another program.",
    fix: "Set WISP_HOME to another directory.",
    details: { path: home.path },
  });
}

/** Without a marker, a `pending/` that holds requests in another shape is somebody else's. */
function refuseForeignHome(home: Home): void {
  if (lstatOrNull(home.pending)?.isDirectory() !== true) return;
  for (const name of readdirSync(home.pending)) {
    if (parseRequestFileName(name) === null) continue;
    if (judgeRequest(name, readJson(join(home.pending, name), sizeLimits.request)).kind !== "request") {
      throw new WispError("channel_unsafe", `${home.path} belongs to another program.`, {
        why: `Its pending/${name} is not a request of ours.`,
        fix: "Set WISP_HOME to another directory.",
        details: { path: home.path },
      });
    }
  }
}

function workTreeOf(directory: string): string | null {
  for (let at = resolve(directory); ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return null;
  }
}

function isInside(path: string, tree: string): boolean {
  return path === tree || path.startsWith(tree.endsWith(sep) ? tree : `${tree}${sep}`);
}

/** The real path of the longest part that exists; the rest as written. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // It does not exist yet: what decides is where its parent really is.
    const parent = dirname(path);
    return parent === path ? path : join(realOf(parent), path.slice(parent.length));
  }
}

function lstatOrNull(path: string): ReturnType<typeof lstatSync> | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null;
}

function refused(named: string, what: string): WispError {
  return new WispError("channel_unsafe", `WISP_HOME=${named} ${what}.`, {
    why: "A project's files must not decide where approvals are asked.",
    fix: "Set WISP_HOME to an absolute path outside the project, or unset it.",
    details: { path: named },
  });
}
