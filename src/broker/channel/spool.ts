/** The whole of a text that is too long for its request, under its hash. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { publish } from "../files/publish.js";
import { readBytes, sizeLimits } from "../files/read.js";
import { removeQuietly } from "../files/remove.js";
import { ensureSafeDirectory } from "../files/safe-directory.js";
import { isHash, type LongText, sha256Hex } from "../request/long-text.js";
import type { Request } from "../request/request.js";
import type { Clock } from "../system/clock.js";
import type { Home } from "./home.js";

/** Keeps each text under its hash; one that is there already is the same text. Returns the hashes. */
export function spoolTexts(home: Home, texts: readonly string[], clock: Clock): readonly string[] {
  if (texts.length === 0) return [];
  ensureSafeDirectory(home.spool);
  return texts.map((text) => {
    const hash = sha256Hex(text);
    publish(home.spool, hash, text, clock);
    return hash;
  });
}

/** The whole text behind a stand-in, or null when it is missing or is not that text: then nobody can approve it. */
export function readSpooled(home: Home, stand: LongText): string | null {
  const result = readBytes(join(home.spool, stand.sha256), stand.bytes);
  if (result.kind !== "bytes" || result.bytes.length !== stand.bytes) return null;
  const text = Buffer.from(result.bytes).toString("utf8");
  return sha256Hex(text) === stand.sha256 ? text : null;
}

/** The hashes of all long texts in a request. */
export function hashesIn(request: Request): readonly string[] {
  if (request.kind !== "approval" || request.subject.type !== "command") return [];
  const { line, command, argv } = request.subject;
  return [line, command, ...(argv ?? [])].flatMap((text) => (typeof text === "string" ? [] : [text.sha256]));
}

/** Removes the texts under `hashes` that no waiting request names: two requests may share one. */
export function unspool(home: Home, hashes: readonly string[]): void {
  if (hashes.length === 0) return;
  const stillNamed = namesInRequests(home, new Set(hashes.filter(isHash)));
  for (const hash of hashes) {
    if (isHash(hash) && !stillNamed.has(hash)) removeQuietly(join(home.spool, hash));
  }
}

function namesInRequests(home: Home, hashes: ReadonlySet<string>): ReadonlySet<string> {
  const named = new Set<string>();
  for (const name of readdirSync(home.pending)) {
    if (name.startsWith(".") || name.endsWith(".answer.json")) continue;
    const result = readBytes(join(home.pending, name), sizeLimits.request);
    if (result.kind !== "bytes") continue;
    const text = Buffer.from(result.bytes).toString("utf8");
    for (const hash of hashes) if (text.includes(hash)) named.add(hash);
  }
  return named;
}
