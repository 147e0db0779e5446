/**
 * `late/`: requests that ended and that nobody said no to. A person may still answer one for a next call, so
 * each is sealed: what is shown of it must be what its yes is bound to.
 */
import { join } from "node:path";
import { type HomePlace, makeDirectories, sweepTemporaries } from "../files/home-place.js";
import { lookAt } from "../files/look.js";
import { publish } from "../files/publish.js";
import { readJson, sizeLimits } from "../files/read.js";
import { removeQuietly } from "../files/remove.js";
import { judgeDirectory } from "../files/safe-directory.js";
import { hashSchema } from "../request/long-text.js";
import { formatVersion, requestSchema } from "../request/request.js";
import { isSealed, type Keys, sealOf } from "../request/seal.js";
import * as s from "../request/shape.js";
import { boundPart, boundSchema, isSame } from "./bound.js";
import {
  type LateRequest,
  type LateRequests,
  type Life,
  lateEndings,
  type Moment,
  repeatMs,
} from "./grant-store.js";
import { type LateName, lateNameOf, lateNamesIn, markOf, removeOldest } from "./late-names.js";
import { hasEnded, lifePart, lifeSchema, remainingMs } from "./life.js";

/** Where they are kept, for how long, and who says what of the world around them. */
export interface LateOptions extends HomePlace {
  readonly moment: () => Moment;
  readonly keys: Keys;
  /** How long one may be answered after it ended; 0: not at all. */
  readonly lateSeconds: number;
}

/** The key of these seals, and what stands before the bytes that they cover. */
const lateLabel = "wisp/late/v1";

/** So often a process that files one looks whether there are too many. */
const filedBetweenLooks = 50;

/** A server that sweeps answers its client meanwhile: what is left over is read by its next sweep. */
const mostReadAtOnce = 100;

/** In bytes: a whole request, and what stands around it. */
const longestLate = sizeLimits.request + 16 * 1024;

/** A late request's whole file: no other key is taken. */
export const lateSchema = s.strictObject({
  v: s.literal(formatVersion),
  how: s.oneOf(lateEndings),
  toldMsAgo: s.nullable(s.integer({ least: 0 })),
  bound: boundSchema,
  life: lifeSchema,
  request: requestSchema,
  mac: hashSchema,
});

/** The late requests of one home. Touches nothing before the first one is kept or sought. */
export function openLateRequests(options: LateOptions): LateRequests {
  const { clock, moment, keys } = options;
  const directory = join(options.path, "late");

  /** When each ends that a sweep has read; null for what is none of ours. A file under a name never changes. */
  const lives = new Map<string, Life | null>();
  let filedSinceLook = 0;

  /** What lies there under a name, however old; null where nothing that we kept does. */
  function found({ name }: LateName): LateRequest | null {
    const result = readJson(join(directory, name), longestLate);
    if (result.kind !== "value") return null;
    const parsed = lateSchema.safeParse(result.value);
    if (!parsed.success) return null;
    const { v: _version, mac, request, ...rest } = parsed.data;
    if (request.kind !== "approval") return null;
    const late = { ...rest, request };
    // A copy under another name is none.
    if (lateNameOf(request.id, late.bound) !== name) return null;
    return isSealed(lateLabel, sealedPart(late), mac, keys) ? late : null;
  }

  /** Throws channel_unsafe for a directory in which others could have put something. */
  function judgedNames(): ReturnType<typeof lateNamesIn> {
    if (lookAt(directory) === null) return { names: [], others: 0 };
    judgeDirectory(directory);
    return lateNamesIn(directory);
  }

  /** Newest first. */
  function all(names: readonly LateName[]): readonly LateRequest[] {
    const requests = names.map(found).filter((one) => one !== null);
    return requests.sort((one, other) => other.life.from.at - one.life.from.at);
  }

  const canAnswer = ({ life }: LateRequest): boolean =>
    life.forMs > 0 && remainingMs(life, moment()) !== null;
  const isOver = (life: Life): boolean =>
    hasEnded({ ...life, forMs: Math.max(life.forMs, repeatMs) }, moment());

  /** How long ago a banner told of it; null where none did, or too long ago to count. */
  function toldAgo({ life, toldMsAgo }: LateRequest): number | null {
    if (toldMsAgo === null) return null;
    const leftMs = remainingMs({ ...life, forMs: repeatMs - toldMsAgo }, moment());
    return leftMs === null ? null : repeatMs - leftMs;
  }

  function removed({ name }: LateName): boolean {
    lives.delete(name);
    return removeQuietly(join(directory, name));
  }

  return {
    async file({ bound, request, how, toldMsAgo }, canBeAnswered) {
      const life = { from: moment(), forMs: canBeAnswered ? options.lateSeconds * 1_000 : 0 };
      const sealed = sealedPart({ bound, request, how, toldMsAgo, life });
      const mac = sealOf(lateLabel, sealed, await keys.derivedKey(lateLabel));
      makeDirectories(options, "late");
      const name = lateNameOf(request.id, bound);
      // Not put on disk here: a loss of power in the next seconds loses it and lets nothing run, and a server that ends with
      // hundreds of them has no time for the disk.
      const isNew = publish(directory, name, JSON.stringify({ ...sealed, mac }), clock);
      if (filedSinceLook === 0) removeOldest(directory);
      filedSinceLook = (filedSinceLook + 1) % filedBetweenLooks;
      return isNew;
    },
    list() {
      const { names, others } = judgedNames();
      const requests = all(names);
      return { requests: requests.filter(canAnswer), unreadable: others + names.length - requests.length };
    },
    read(id) {
      const [late = null] = all(judgedNames().names.filter((one) => one.id === id));
      return late !== null && canAnswer(late) ? late : null;
    },
    alike(bound) {
      try {
        const mark = markOf(bound);
        const marked = all(judgedNames().names.filter((one) => one.mark === mark));
        const alike = marked.filter((one) => isSame(one.bound, bound));
        const told = alike.map(toldAgo).filter((ago) => ago !== null);
        const toldMsAgo = told.length === 0 ? null : Math.min(...told);
        return { ids: alike.map(({ request }) => request.id), toldMsAgo };
      } catch {
        // Nothing counts in a directory where others could have put it; whoever lists hears what is wrong.
        return { ids: [], toldMsAgo: null };
      }
    },
    remove: (id) => lateNamesIn(directory).names.filter((one) => one.id === id && removed(one)).length > 0,
    sweep() {
      sweepTemporaries(directory, clock);
      const { names } = lateNamesIn(directory);
      const there = new Set(names.map(({ name }) => name));
      for (const name of lives.keys()) if (!there.has(name)) lives.delete(name);
      const unread = names.filter(({ name }) => !lives.has(name));
      for (const one of unread.slice(0, mostReadAtOnce)) lives.set(one.name, found(one)?.life ?? null);
      const over = names.filter(({ name }) => {
        const life = lives.get(name) ?? null;
        return life !== null && isOver(life);
      });
      return over.filter(removed).map(({ id }) => id);
    },
  };
}

/** Every field that is not the seal. */
function sealedPart({ bound, request, how, toldMsAgo, life }: LateRequest) {
  return { v: formatVersion, how, toldMsAgo, bound: boundPart(bound), life: lifePart(life), request };
}
