/** What a process needs in order to write: keys, its name at the lock, a head to go on from, and its memory of the log. */
import { join } from "node:path";
import { lookAt } from "../files/look.js";
import { publishDurably } from "../files/publish.js";
import { ensureSafeDirectory } from "../files/safe-directory.js";
import type { Liveness, ProcessIdentity, SoughtProcess } from "../request/process.js";
import type { Keys } from "../request/seal.js";
import type { Clock } from "../system/clock.js";
import { chainLabel } from "./chain.js";
import { emptyHead, headText } from "./head.js";
import { createHeadKeeping } from "./keep-head.js";
import { openLock } from "./lock.js";
import { asideIn, auditDirectory, headName, logName } from "./places.js";
import { madeSigner, type Signer } from "./signing-key.js";
import { createTurns, type Turns } from "./turns.js";
import { createWriter, type Rotation, type Writer } from "./writer.js";

/** What each line says beside its event, and who writes. */
export interface WritingOptions {
  readonly clock: Clock;
  /** Which process writes: the instance of a server, or the name of a face. */
  readonly session: string;
  /** Of the same home. */
  readonly keys: Keys;
  /** Of this process; asked for once. */
  readonly identity: () => ProcessIdentity;
  readonly liveness: (one: SoughtProcess, own: ProcessIdentity) => Liveness;
  /** Asked before each append; null where this process puts nothing aside. */
  readonly rotation: (() => Rotation) | null;
}

/** The log of one home, as one process writes it. */
export interface Writing {
  /** Of the home. */
  readonly path: string;
  readonly turns: Turns;
  readonly writer: Writer;
  /** Signs how far the log goes. Rejects where that cannot be done. */
  readonly keepHead: () => Promise<void>;
}

/** Opens the log of the home at `path`, which is judged. Rejects with channel_unsafe, channel_unavailable. */
export async function openWriting(path: string, options: WritingOptions): Promise<Writing> {
  const { clock, session, keys, identity, liveness, rotation } = options;
  const directory = auditDirectory(path);
  const key = await keys.derivedKey(chainLabel);
  const signer = await madeSigner(path, clock);
  const own = identity();
  const turns = createTurns(
    directory,
    async () => {
      ensureSafeDirectory(directory);
      await begin(directory, signer, clock);
      return await openLock({ directory, clock, own, liveness });
    },
    clock,
  );
  const parts = { path, clock, session, key, signer, rotation };
  const writer = createWriter(parts);
  const sign = createHeadKeeping({ ...parts, writer, locked: (run) => turns.later(run) });
  let isCleared = false;
  return {
    path,
    turns,
    writer,
    async keepHead() {
      await sign();
      if (isCleared) return;
      isCleared = true;
      await turns.clear();
    },
  };
}

/** A log without records has a head that says so: then none beside records always means that somebody removed it. */
async function begin(directory: string, signer: Signer, clock: Clock): Promise<void> {
  const names = [headName, logName, ...asideIn(directory).map(({ name }) => name)];
  if (names.some((name) => lookAt(join(directory, name)) !== null)) return;
  await publishDurably(directory, headName, headText(emptyHead, signer), clock);
}
