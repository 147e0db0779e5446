/**
 * Where a channel lives on disk. Nothing here is made before the first ask, and a directory of another program
 * is never taken for ours.
 */
import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { lookAt, namesIn } from "../files/look.js";
import { publish } from "../files/publish.js";
import { type ReadObjection, readBytes, readJson, sizeLimits } from "../files/read.js";
import { ensureSafeDirectory, judgeDirectory } from "../files/safe-directory.js";
import { expectWispError, WispError } from "../request/errors.js";
import { parseRequestFileName } from "../request/request.js";
import { shellQuoted } from "../request/shell-quote.js";
import type { Clock } from "../system/clock.js";
import { accountDirectory } from "../system/home-directory.js";
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
  const standard = (): string => join(ownHomeDirectory(), standardName);
  if (named === undefined || named === "") return homeAt(standard(), true);
  if (!isAbsolute(named)) throw refused(named, "is not an absolute path");
  const path = resolve(named);
  const tree = workTreesOf(cwd).find((one) => isInside(path, one) || isInside(realOf(path), realOf(one)));
  if (tree !== undefined) throw refused(named, `lies inside the git work tree ${tree}`);
  // One with another name is never the default: nobody need be asked whose account this is.
  return homeAt(path, basename(path) === standardName && path === standard());
}

const standardName = ".wisp";

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
  try {
    return lstatSync(home.path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // What cannot be looked at is there for all anybody knows: judging it says what is wrong.
    return true;
  }
}

/** Makes the home where it is missing, and refuses one that is not ours. Returns its path. */
export function ensureHome(home: Home, clock: Clock): string {
  judged(home, ensureSafeDirectory);
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
  judged(home, judgeDirectory);
  if (readFormat(home) === null) refuseForeignHome(home);
  if (lookAt(home.pending) !== null) judgeDirectory(home.pending);
}

/** Does the home bear our format marker? Looks at nothing else in it. */
export function isMarkedOurs(home: Home): boolean {
  try {
    return readFormat(home) !== null;
  } catch (error) {
    expectWispError(error);
    return false;
  }
}

const formatLine = "wisp-broker 1";

/** The format marker, or null where there is none. One that names something else is another program's. */
function readFormat(home: Home): string | null {
  const result = readBytes(join(home.path, "format"), sizeLimits.answer);
  if (result.kind === "missing") return null;
  if (result.kind === "refused") throw unreadableMarker(home, result.objection);
  const text = Buffer.from(result.bytes).toString("utf8").trim();
  if (text === formatLine) return text;
  throw new WispError("channel_unsafe", `${join(home.path, "format")} does not say "${formatLine}".`, {
    why: /^wisp-broker \d+$/.test(text)
      ? "A newer wisp made this home."
      : "This directory belongs to another program.",
    fix: another,
    details: { path: home.path },
  });
}

const another = "Set WISP_HOME to another directory.";

function unreadableMarker(home: Home, objection: ReadObjection): WispError {
  const path = join(home.path, "format");
  return new WispError("channel_unsafe", `${path}: ${objection}.`, {
    why: "It says whose directory this is, so nothing is asked through it until it can be read.",
    fix:
      objection === "open to others"
        ? `chmod 600 ${shellQuoted(path)}`
        : `Look at ${shellQuoted(path)}; remove it if it is not yours.`,
    details: { path: home.path },
  });
}

/** Judges the home. One that the variable names and that is not ours is not to be repaired: another is to be named. */
function judged(home: Home, judge: (path: string) => void): void {
  try {
    judge(home.path);
  } catch (error) {
    const isUnsafe = error instanceof WispError && error.code === "channel_unsafe";
    if (!isUnsafe || home.isDefault || isMarkedOurs(home) || isBegun(home, error)) throw error;
    throw new WispError("channel_unsafe", error.message, {
      ...(error.why === null ? {} : { why: error.why }),
      fix: "Set WISP_HOME to a directory of your own, or unset it.",
      cause: error,
      details: error.details,
    });
  }
}

/**
 * Is all that is wrong its mode, in a directory that holds nothing but what a person may write before the first request?
 * Then it is closed, and not given up.
 */
function isBegun({ path }: Home, { fix }: WispError): boolean {
  return fix.startsWith("chmod 7") && namesIn(path).every((name) => /^(config|policy)\.json$/.test(name));
}

/** Without a marker, a `pending/` that holds requests in another shape is somebody else's. */
function refuseForeignHome(home: Home): void {
  if (lookAt(home.pending)?.isDirectory() !== true) return;
  for (const name of readdirSync(home.pending)) {
    if (parseRequestFileName(name) === null) continue;
    if (judgeRequest(name, readJson(join(home.pending, name), sizeLimits.request)).kind !== "request") {
      throw new WispError("channel_unsafe", `${home.path} belongs to another program.`, {
        why: `Its pending/${name} is not a request of ours.`,
        fix: another,
        details: { path: home.path },
      });
    }
  }
}

/** The work trees around a directory, the inner ones first: a repository may lie inside another. */
function workTreesOf(directory: string): readonly string[] {
  const trees: string[] = [];
  for (let at = resolve(directory); ; at = dirname(at)) {
    if (lookAt(join(at, ".git")) !== null) trees.push(at);
    if (dirname(at) === at) return trees;
  }
}

/** An empty or relative HOME would put the approvals of a person into whatever directory a server was started in. */
function ownHomeDirectory(): string {
  // What node:os would say first, without loading it: a command that a person waits for needs nothing else of it.
  const { HOME: named = "" } = process.env;
  if (isAbsolute(named)) return named;
  const recorded = accountDirectory();
  if (recorded !== null) return recorded;
  throw new WispError("channel_unsafe", `HOME=${named} is not an absolute path.`, {
    fix: "Set HOME, or set WISP_HOME to an absolute path.",
  });
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

function refused(named: string, what: string): WispError {
  return new WispError("channel_unsafe", `WISP_HOME=${named} ${what}.`, {
    why: "A project's files must not decide where approvals are asked.",
    fix: "Set WISP_HOME to an absolute path outside the project, or unset it.",
    details: { path: named },
  });
}
