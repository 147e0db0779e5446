/**
 * A `Channel` over a place in memory, for tests of everything above a channel. It keeps files as bytes under the
 * names of the format, so that hostile content can be planted, and tells of changes at once, before the call that
 * made them returns. Several openings may share one place, as processes share a directory.
 */
import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Channel, Listing, News, RefusedAnswer, Slot, Taken } from "../../src/broker/channel/channel.js";
import {
  type Answer,
  answerFileName,
  answerSchema,
  needsPerson,
  objectionTo,
  type ServerDecision,
} from "../../src/broker/request/answer.js";
import type { Shortfall, Testimony, Witness } from "../../src/broker/request/assurance.js";
import { answerHash, composeRequest, proveReceipt } from "../../src/broker/request/binding.js";
import { WispError } from "../../src/broker/request/errors.js";
import { isIdentifier, newIdentifier } from "../../src/broker/request/identifier.js";
import type { Receipt } from "../../src/broker/request/receipt.js";
import {
  formatVersion,
  parseRequestFileName,
  type Request,
  requestFileName,
  requestSchema,
} from "../../src/broker/request/request.js";
import { parseStrictJson } from "../../src/broker/request/strict-json.js";
import type { Clock } from "../../src/broker/system/clock.js";
import { testServer } from "./builders.js";
import { takesAll } from "./witnesses.js";

/** What every opening of the place sees. */
export interface MemoryPlace {
  /** Requests and slots, by file name. */
  readonly files: Map<string, Uint8Array>;
  readonly receipts: Map<string, Receipt>;
  /** What was moved out of slots, oldest first. */
  readonly rejected: Uint8Array[];
  /** By the hash of the answer that was not enough. */
  readonly refusals: Map<string, Shortfall>;
  /** What waits without a call, by the word of the openings that filed it. */
  readonly detached: Set<string>;
  readonly listeners: Set<(id: string | null) => void>;
  /** When not null, nothing can be written: filing, answering and settling throw it. */
  fault: WispError | null;
}

export function memoryPlace(): MemoryPlace {
  return {
    files: new Map(),
    receipts: new Map(),
    rejected: [],
    refusals: new Map(),
    detached: new Set(),
    listeners: new Set(),
    fault: null,
  };
}

/** Puts `content` under `name`, over whatever stands there, as no honest program would. */
export function plant(place: MemoryPlace, name: string, content: Uint8Array): void {
  place.files.set(name, content);
  tell(place, idIn(name));
}

/** Deletes the file of request `id`, as another process might. */
export function removeRequest(place: MemoryPlace, id: string): void {
  const name = requestNameOf(place, id);
  if (name === null || !place.files.delete(name)) return;
  tell(place, id);
}

export interface MemoryChannelOptions {
  readonly clock: Clock;
  readonly server?: Request["server"];
  readonly onRefused?: (refused: RefusedAnswer) => void;
  /** Takes every answer unless another is given. */
  readonly witness?: Witness;
}

/** What an opening remembers of a request that it filed. */
interface Filed {
  readonly request: Request;
  readonly secret: Uint8Array;
  readonly filedAt: number;
  /** Hashes of what this opening published itself: nobody else may speak as the server or as the dialog. */
  readonly published: Set<string>;
  /** The server's own decision, when it could not be published. */
  unpublished: Taken | null;
}

const largest = { request: 256 * 1024, answer: 64 * 1024 };
/** Something may plant junk as fast as it is moved away; after so many the decision stands in memory. */
const mostClaims = 3;

export function memoryChannel(place: MemoryPlace, options: MemoryChannelOptions): Channel {
  const { clock, server = testServer, onRefused, witness = takesAll } = options;
  const filed = new Map<string, Filed>();
  const mine = new Set<(id: string | null) => void>();

  function publish(answer: Answer): boolean {
    if (place.fault !== null) throw place.fault;
    const name = answerFileName(answer.id);
    if (place.files.has(name)) return false;
    filed.get(answer.id)?.published.add(answerHash(answer));
    place.files.set(name, bytesOf(answer));
    tell(place, answer.id);
    return true;
  }

  /** What stands in the slot; what may not decide is moved away first. */
  function judge(own: Filed): News | null {
    if (own.unpublished !== null) return { kind: "answer", taken: own.unpublished };
    const { id } = own.request;
    const slot = slotIn(place, id);
    if (slot.kind === "answer") {
      const { answer } = slot;
      const hash = answerHash(answer);
      const isInternal = answer.via === "server" || answer.via === "elicitation";
      const isShown = isInternal || own.request.kind !== "fact" || isAsFiled(own.request);
      const objection =
        objectionOf(answer, hash, own) ?? (isShown ? null : "what was shown is not what was filed");
      const testimony = objection !== null || isInternal ? null : witness(answer, own.request);
      const shortfall = testimony?.shortfall ?? null;
      if (objection === null && (shortfall === null || !needsPerson(answer))) {
        return { kind: "answer", taken: { answer, hash, testimony } };
      }
      if (shortfall !== null) place.refusals.set(hash, shortfall);
      const isRebound = (answer.binding !== own.request.binding || !isShown) && isAltered(own.request);
      reject(id, objection ?? `assurance_insufficient: ${shortfall}`, testimony);
      if (isRebound) return { kind: "broken", why: "its request file was altered" };
    } else if (slot.kind === "junk") reject(id, slot.reason);
    return requestNameOf(place, id) === null ? { kind: "broken", why: "its request file was removed" } : null;
  }

  function objectionOf(answer: Answer, hash: string, own: Filed): string | null {
    const objection = objectionTo(answer, own.request);
    if (objection !== null) return objection;
    const isInternal = answer.via === "server" || answer.via === "elicitation";
    return isInternal && !own.published.has(hash)
      ? "only the process that asked may answer in this way"
      : null;
  }

  function reject(id: string, reason: string, testimony: Testimony | null = null): void {
    const name = answerFileName(id);
    const content = place.files.get(name);
    if (content === undefined) return;
    place.files.delete(name);
    place.rejected.push(content);
    onRefused?.({ id, reason, movedTo: `rejected/${id}.${place.rejected.length}.json`, testimony });
    tell(place, id);
  }

  function isAsFiled(request: Request): boolean {
    return isDeepStrictEqual(place.files.get(requestFileName(request)), bytesOf(request));
  }

  function isAltered(request: Request): boolean {
    const content = place.files.get(requestFileName(request));
    return content !== undefined && !isDeepStrictEqual(content, bytesOf(request));
  }

  function known(id: string): Filed {
    const own = filed.get(id);
    if (own === undefined) throw new TypeError(`This opening has no waiting request ${id}.`);
    return own;
  }

  return {
    file(draft) {
      if (place.fault !== null) throw place.fault;
      const secret = randomBytes(32);
      const request = composeRequest(draft, {
        id: freshId(place),
        createdAt: clock.now(),
        server,
        nonce: randomBytes(32).toString("base64url"),
        receiptSecret: secret,
      });
      const content = bytesOf(request);
      if (content.byteLength > largest.request) {
        throw new WispError("request_too_large", `A request may take ${largest.request} bytes.`);
      }
      const filedAt = clock.monotonic();
      filed.set(request.id, { request, secret, filedAt, published: new Set(), unpublished: null });
      place.files.set(requestFileName(request), content);
      tell(place, request.id);
      return request;
    },
    pending: () => listingOf(place),
    answer: publish,
    slot: (id) => slotIn(place, id),
    retract(answer) {
      const name = answerFileName(answer.id);
      if (!isDeepStrictEqual(place.files.get(name), bytesOf(answer))) return;
      place.files.delete(name);
      tell(place, answer.id);
    },
    take(id) {
      const own = filed.get(id);
      return own === undefined ? null : judge(own);
    },
    withdraw(id, decision, note) {
      const own = known(id);
      const answer = serverAnswer(own.request, decision, note, clock);
      for (let claims = 0; claims < mostClaims; claims += 1) {
        const news = judge(own);
        if (news?.kind === "answer") return news.taken;
        if (place.fault !== null) break;
        if (publish(answer)) return { answer, hash: answerHash(answer), testimony: null };
      }
      own.unpublished = { answer, hash: answerHash(answer), testimony: null };
      return own.unpublished;
    },
    settle(id, { outcome, taken, ran, lost }) {
      const own = known(id);
      if (place.fault !== null) throw place.fault;
      const receipt = proveReceipt(
        {
          v: formatVersion,
          id,
          kind: own.request.kind,
          outcome,
          via: taken?.answer.via ?? null,
          decision: taken?.answer.decision ?? null,
          scope: lost === undefined ? (taken?.answer.scope ?? null) : "once",
          note: [taken?.answer.note, lost && `(${lost})`].filter(Boolean).join(" ") || null,
          answer: taken?.hash ?? null,
          verified: taken?.testimony?.verified ?? null,
          at: clock.now(),
          seconds: Math.round(clock.monotonic() - own.filedAt) / 1_000,
          ran,
        },
        own.secret,
      );
      filed.delete(id);
      place.detached.delete(id);
      place.receipts.set(id, receipt);
      place.files.delete(requestFileName(own.request));
      place.files.delete(answerFileName(id));
      tell(place, id);
      return receipt;
    },
    detached(id, isDetached) {
      if (isDetached && filed.has(id)) place.detached.add(id);
      else place.detached.delete(id);
    },
    isThere: (id) => requestNameOf(place, id) !== null,
    refusal: (answer) => place.refusals.get(answerHash(answer)) ?? null,
    receipt: (id) => structuredClone(place.receipts.get(id)) ?? null,
    changes(listener) {
      // A wrapper of its own: the same function given twice is two listeners.
      const told = (id: string | null): void => listener(id);
      mine.add(told);
      place.listeners.add(told);
      return () => {
        mine.delete(told);
        place.listeners.delete(told);
      };
    },
    close() {
      for (const listener of mine) place.listeners.delete(listener);
      mine.clear();
      filed.clear();
    },
  };
}

export function bytesOf(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

function tell(place: MemoryPlace, id: string | null): void {
  for (const listener of [...place.listeners]) listener(id);
}

function idIn(name: string): string {
  return name.split(".", 1)[0] ?? "";
}

function freshId(place: MemoryPlace): string {
  let id = newIdentifier(randomBytes);
  while (requestNameOf(place, id) !== null || place.receipts.has(id)) id = newIdentifier(randomBytes);
  return id;
}

function requestNameOf(place: MemoryPlace, id: string): string | null {
  for (const kind of ["approval", "fact", "question"] as const) {
    const name = requestFileName({ id, kind });
    if (place.files.has(name)) return name;
  }
  return null;
}

function slotIn(place: MemoryPlace, id: string): Slot {
  const content = place.files.get(answerFileName(id));
  if (content === undefined) return { kind: "free" };
  if (content.byteLength > largest.answer) return { kind: "junk", reason: "too large" };
  const parsed = parseStrictJson(content);
  if (!parsed.ok) return { kind: "junk", reason: parsed.objection };
  const answer = answerSchema.safeParse(parsed.value);
  return answer.success ? { kind: "answer", answer: answer.data } : { kind: "junk", reason: "not an answer" };
}

function listingOf(place: MemoryPlace): Listing {
  const requests: Request[] = [];
  const newer: string[] = [];
  const unreadable: { name: string; reason: string }[] = [];
  for (const [name, content] of place.files) {
    const claimed = parseRequestFileName(name);
    if (claimed === null) continue;
    const parsed = parseStrictJson(content);
    const request = requestSchema.safeParse(parsed.ok ? parsed.value : null);
    if (!isIdentifier(claimed.id)) unreadable.push({ name, reason: "bad id" });
    else if (!parsed.ok) unreadable.push({ name, reason: parsed.objection });
    else if (isNewer(parsed.value)) newer.push(claimed.id);
    else if (!request.success) unreadable.push({ name, reason: "not a request" });
    else if (request.data.id !== claimed.id) unreadable.push({ name, reason: "its id is not its name" });
    else if (request.data.kind !== claimed.kind)
      unreadable.push({ name, reason: "its kind is not its name's" });
    else requests.push(request.data);
  }
  requests.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
  return { requests, newer, unreadable };
}

function isNewer(value: unknown): boolean {
  return typeof value === "object" && value !== null && "v" in value && Number(value.v) > formatVersion;
}

function serverAnswer(request: Request, decision: ServerDecision, note: string | null, clock: Clock): Answer {
  const { pid, startedAt } = request.server;
  const by = { pid, startedAt, tty: null, version: "0.1.0" };
  const answeredAt = clock.now();
  const { id, binding } = request;
  return { v: formatVersion, id, binding, decision, scope: null, note, via: "server", answeredAt, by };
}
