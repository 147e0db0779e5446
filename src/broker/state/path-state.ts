/**
 * What lies under a path, as far as a yes may rest on it. Invariant: the same bytes in the same place give the same
 * fingerprint, whoever wrote them and when; another kind of thing, another place that the path leads to, or other bytes give
 * another one.
 */
import { createHash } from "node:crypto";
import type { BigIntStats, Dirent } from "node:fs";
import { lstat, readdir, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { canonicalJson } from "../request/binding.js";
import { expectErrno } from "../request/errors.js";
import { sha256Hex } from "../request/long-text.js";
import type { BoundTarget } from "./bound-target.js";
import { readContent } from "./file-content.js";

/**
 * Of what `path`, which is absolute, leads to: kind, canonical path, size and SHA-256 of a file, of one over 64 MiB size and
 * times; of a directory the sorted names and kinds of what lies directly in it; and that nothing is there. Rejects with
 * nothing but faults of the program: what cannot be looked at is bound by why.
 */
export async function fingerprintPath(path: string): Promise<BoundTarget> {
  const { canonical, ...found } = await whatLiesAt(path);
  const place = canonical.toString("utf8");
  // Latin-1 keeps apart names that are not Unicode.
  const all = { ...found, path: canonical.toString("latin1") };
  return {
    target: targetOf(path, place, found.to ?? null),
    fingerprint: sha256Hex(`wisp/path-state/v1\n${canonicalJson(all)}`),
  };
}

/** Where a link leads elsewhere than it reads, the person is to see it. */
function targetOf(path: string, place: string, linkTo: string | null): string {
  const there = place === path ? path : `${path}, which leads to ${place}`;
  if (linkTo === null) return there;
  const end = resolve(dirname(place), Buffer.from(linkTo, "latin1").toString("utf8"));
  return `${there}, a link to ${end}, where nothing is yet`;
}

interface Found {
  /** Without links. */
  readonly canonical: Buffer;
  readonly kind: string;
  readonly size?: string;
  readonly times?: string;
  readonly sha256?: string;
  /** What a link that leads nowhere names. */
  readonly to?: string;
  /** Why more of it could not be looked at. */
  readonly why?: string;
}

async function whatLiesAt(path: string): Promise<Found> {
  try {
    const canonical = await realpath(path, "buffer");
    const stats = await lstat(canonical, { bigint: true });
    if (stats.isFile()) return await fileAt(canonical, stats);
    return stats.isDirectory() ? await directoryAt(canonical, stats) : { canonical, kind: kindOf(stats) };
  } catch (error) {
    const errno = expectErrno(error);
    return errno === "ENOENT"
      ? await missingAt(path)
      : { canonical: Buffer.from(path), kind: "out of reach", why: errno };
  }
}

async function fileAt(canonical: Buffer, stats: BigIntStats): Promise<Found> {
  const kind = "file";
  const read = await readContent(canonical, 0);
  switch (read.kind) {
    case "content":
      return { canonical, kind, size: String(read.content.size), sha256: read.content.sha256 };
    case "large":
      return { canonical, kind, ...knownBy(read.stats) };
    case "unread":
      return { canonical, kind, ...knownBy(stats), why: read.errno };
    case "no file":
      return { canonical, kind: "replaced while it was looked at" };
    default:
      return read satisfies never;
  }
}

async function directoryAt(canonical: Buffer, stats: BigIntStats): Promise<Found> {
  const kind = "directory";
  try {
    const entries = await readdir(canonical, { withFileTypes: true, encoding: "buffer" });
    const lines = entries.map((entry) => `${entry.name.toString("hex")} ${kindOf(entry)}`).sort();
    const sha256 = createHash("sha256").update(lines.join("\n")).digest("hex");
    return { canonical, kind, size: String(lines.length), sha256 };
  } catch (error) {
    const errno = expectErrno(error);
    return { canonical, kind, ...knownBy(stats), why: errno };
  }
}

/** Nothing is there, or a link to nothing: what is written through that appears where it points. */
async function missingAt(path: string): Promise<Found> {
  const canonical = Buffer.from(join(await realParent(path), basename(path)));
  try {
    const to = await readlink(path, "buffer");
    return { canonical, kind: "link to nothing", to: to.toString("latin1") };
  } catch (error) {
    expectErrno(error);
    // EINVAL: it appeared just now, and is no link. The next look finds it.
    return { canonical, kind: "missing" };
  }
}

/** Of what is not there yet: where its innermost parent really is that is there. */
async function realParent(path: string): Promise<string> {
  const parent = dirname(path);
  try {
    return await realpath(parent);
  } catch (error) {
    expectErrno(error);
    return parent === path ? parent : join(await realParent(parent), basename(parent));
  }
}

function knownBy({ size, mtimeNs, ctimeNs }: BigIntStats): Pick<Found, "size" | "times"> {
  return { size: String(size), times: `${mtimeNs} ${ctimeNs}` };
}

function kindOf(one: BigIntStats | Dirent<Buffer>): string {
  if (one.isFile()) return "file";
  if (one.isDirectory()) return "directory";
  if (one.isSymbolicLink()) return "link";
  if (one.isFIFO()) return "pipe";
  if (one.isSocket()) return "socket";
  return "device";
}
