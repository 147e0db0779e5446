/**
 * `late/<id>.json`: requests that ended and that nobody said no to. A person may still answer one for a next call, so
 * each is sealed: what is shown of it must be what its yes is bound to.
 */
import { join } from "node:path";
import { lookAt } from "../files/look.js";
import { publishDurably } from "../files/publish.js";
import { readJson, sizeLimits } from "../files/read.js";
import { removeQuietly } from "../files/remove.js";
import { judgeDirectory } from "../files/safe-directory.js";
import { isIdentifier } from "../request/identifier.js";
import { hashSchema } from "../request/long-text.js";
import { formatVersion, requestSchema } from "../request/request.js";
import * as s from "../request/shape.js";
import { boundPart, boundSchema, isSame } from "./bound.js";
import {
  type Bound,
  type LateRequest,
  type LateRequests,
  lateEndings,
  type Moment,
  repeatMs,
} from "./grant-store.js";
import { hasEnded, lifePart, lifeSchema, remainingMs } from "./life.js";
import { fileNameOf, type HomePlace, idsIn, makeDirectoriesDurably, sweepTemporaries } from "./places.js";
import { isSealed, type Keys, sealOf } from "./seal.js";

/** Where they are kept, for how long, and who says what of the world around them. */
export interface LateOptions extends HomePlace {
  readonly moment: () => Moment;
  readonly keys: Keys;
  /** How long one may be answered after it ended; 0: not at all. */
  readonly lateSeconds: number;
}

/** The key of these seals, and what stands before the bytes that they cover. */
const lateLabel = "wisp/late/v1";

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

  /** What lies there under `id`, however old, if it is bound to what `matches`; null where nothing that we kept is. */
  function found(id: string, matches: (bound: Bound) => boolean = () => true): LateRequest | null {
    const result = readJson(join(directory, fileNameOf(id)), longestLate);
    if (result.kind !== "value") return null;
    const parsed = lateSchema.safeParse(result.value);
    // What is bound to something else is not looked at any further: an ask looks at every file.
    if (!parsed.success || !matches(parsed.data.bound)) return null;
    const { v: _version, mac, request, ...rest } = parsed.data;
    if (request.kind !== "approval" || request.id !== id) return null;
    const late = { ...rest, request };
    return isSealed(lateLabel, sealedPart(late), mac, keys) ? late : null;
  }

  /** Throws channel_unsafe for a directory in which others could have put something. */
  function judgedIds(): readonly (string | null)[] {
    if (lookAt(directory) === null) return [];
    judgeDirectory(directory);
    return idsIn(directory);
  }

  /** Newest first. */
  function all(ids: readonly (string | null)[], matches?: (bound: Bound) => boolean): readonly LateRequest[] {
    const requests = ids.map((id) => (id === null ? null : found(id, matches))).filter((one) => one !== null);
    return requests.sort((one, other) => other.life.from.at - one.life.from.at);
  }

  const canAnswer = ({ life }: LateRequest): boolean =>
    life.forMs > 0 && remainingMs(life, moment()) !== null;
  const isOver = ({ life }: LateRequest): boolean =>
    hasEnded({ ...life, forMs: Math.max(life.forMs, repeatMs) }, moment());

  /** How long ago a banner told of it; null where none did, or too long ago to count. */
  function toldAgo({ life, toldMsAgo }: LateRequest): number | null {
    if (toldMsAgo === null) return null;
    const leftMs = remainingMs({ ...life, forMs: repeatMs - toldMsAgo }, moment());
    return leftMs === null ? null : repeatMs - leftMs;
  }

  return {
    async file({ bound, request, how, toldMsAgo }, canBeAnswered) {
      const life = { from: moment(), forMs: canBeAnswered ? options.lateSeconds * 1_000 : 0 };
      const sealed = sealedPart({ bound, request, how, toldMsAgo, life });
      const mac = sealOf(lateLabel, sealed, await keys.derivedKey(lateLabel));
      await makeDirectoriesDurably(options, "late");
      return publishDurably(directory, fileNameOf(request.id), JSON.stringify({ ...sealed, mac }), clock);
    },
    list() {
      const ids = judgedIds();
      const requests = all(ids);
      return { requests: requests.filter(canAnswer), unreadable: ids.length - requests.length };
    },
    read(id) {
      if (!isIdentifier(id) || !judgedIds().includes(id)) return null;
      const late = found(id);
      return late !== null && canAnswer(late) ? late : null;
    },
    alike(bound) {
      try {
        const alike = all(judgedIds(), (other) => isSame(other, bound));
        const told = alike.map(toldAgo).filter((ago) => ago !== null);
        const toldMsAgo = told.length === 0 ? null : Math.min(...told);
        return { ids: alike.map(({ request }) => request.id), toldMsAgo };
      } catch {
        // Nothing counts in a directory where others could have put it; whoever lists hears what is wrong.
        return { ids: [], toldMsAgo: null };
      }
    },
    remove: (id) => isIdentifier(id) && removeQuietly(join(directory, fileNameOf(id))),
    sweep() {
      const over = all(idsIn(directory)).filter(isOver);
      sweepTemporaries(directory, clock);
      return over
        .map(({ request }) => request.id)
        .filter((id) => removeQuietly(join(directory, fileNameOf(id))));
    },
  };
}

/** Every field that is not the seal. */
function sealedPart({ bound, request, how, toldMsAgo, life }: LateRequest) {
  return { v: formatVersion, how, toldMsAgo, bound: boundPart(bound), life: lifePart(life), request };
}
