/**
 * The keys that can loosen how sure an answer is, or shorten the record of it, and what is in force of them. Invariant: such
 * a key is never looser in force than what was accepted, whatever the file says; what the file says stricter is in force at
 * once.
 */
import { isDeepStrictEqual } from "node:util";
import type { ChangeEffect } from "../files/proposal.js";
import { type Level, levels } from "../request/request.js";
import { configSchema } from "./schema.js";
import { effectOnClients, tightened } from "./sealed-clients.js";
import { type ApprovalSettings, type Clients, defaultSettings, type Settings } from "./settings.js";

/** Their names; each level of `approval.require` is a key of its own, `approval.clients` is one as a whole. */
export const sealedKeys = [
  "approval.outOfBand",
  "approval.timeoutSeconds",
  "approval.threshold",
  "approval.ancestry",
  "approval.require.low",
  "approval.require.moderate",
  "approval.require.high",
  "approval.require.dangerous",
  "approval.clients",
  "approval.unseenAnswerMs",
  "approval.persistDays",
  "notify.command",
  "audit.rotateBytes",
  "audit.keep",
  "gate.trustAnnotations",
  "gate.asksPerMinute",
] as const;
/** One of them. */
export type SealedKey = (typeof sealedKeys)[number];

/** A key whose value in the file is not in force, because it is looser than the one that was accepted, or may be. */
export interface WaitingKey {
  readonly key: SealedKey;
  /** In force; of clients with all that the file says stricter of them. */
  readonly accepted: unknown;
  readonly file: unknown;
}

/** What a person accepted, by key: the value under the seal of `config.json`. */
export type AcceptedValues = Readonly<Partial<Record<SealedKey, unknown>>>;

/** Does `key` name one? */
export function isSealedKey(key: string): key is SealedKey {
  return (sealedKeys as readonly string[]).includes(key);
}

/** What `settings` say of `key`. */
export function sealedValue({ approval, notify, audit, gate }: Settings, key: SealedKey): unknown {
  switch (key) {
    case "approval.outOfBand":
      return approval.outOfBand;
    case "approval.timeoutSeconds":
      return approval.timeoutSeconds;
    case "approval.threshold":
      return approval.threshold;
    case "approval.ancestry":
      return approval.ancestry;
    case "approval.require.low":
    case "approval.require.moderate":
    case "approval.require.high":
    case "approval.require.dangerous":
      return approval.require[levelOf(key)];
    case "approval.clients":
      return approval.clients;
    case "approval.unseenAnswerMs":
      return approval.unseenAnswerMs;
    case "approval.persistDays":
      return approval.persistDays;
    case "notify.command":
      return notify.command;
    case "audit.rotateBytes":
      return audit.rotateBytes;
    case "audit.keep":
      return audit.keep;
    case "gate.trustAnnotations":
      return gate.trustAnnotations;
    case "gate.asksPerMinute":
      return gate.asksPerMinute;
    default:
      return key satisfies never;
  }
}

/** What all of them are in `settings`: what is sealed when a person accepts a file as it stands. */
export function acceptedValuesOf(settings: Settings): Required<AcceptedValues> {
  return Object.fromEntries(
    sealedKeys.map((key) => [key, sealedValue(settings, key)]),
  ) as Required<AcceptedValues>;
}

/** What `file` does in the place of `accepted` for `key`. Both are values that the schema takes. */
export function effectOf(key: SealedKey, accepted: unknown, file: unknown): ChangeEffect | "same" {
  if (isDeepStrictEqual(accepted, file)) return "same";
  switch (key) {
    case "approval.timeoutSeconds":
      return rising(waitOf(accepted), waitOf(file));
    case "approval.threshold":
      return rising(levels.indexOf(accepted as Level), levels.indexOf(file as Level));
    case "approval.ancestry":
      return rising(
        ancestryStrictToLoose.indexOf(accepted as Ancestry),
        ancestryStrictToLoose.indexOf(file as Ancestry),
      );
    case "approval.require.low":
    case "approval.require.moderate":
    case "approval.require.high":
    case "approval.require.dangerous":
      return file === "dialog" ? "looser" : "tighter";
    case "approval.clients":
      return effectOnClients(accepted as Clients, file as Clients);
    case "approval.persistDays":
    case "gate.trustAnnotations":
    case "gate.asksPerMinute":
      // Whoever is asked too often says yes in the end.
      return rising(Number(accepted), Number(file));
    case "approval.unseenAnswerMs":
    case "audit.rotateBytes":
    case "audit.keep":
      // A dialog that nobody can have read is believed, or less of the record is kept.
      return rising(Number(file), Number(accepted));
    case "notify.command":
      // A program that was not started before; of another one nobody can tell what it does.
      return file === null ? "tighter" : accepted === null ? "looser" : "unclear";
    case "approval.outOfBand":
      // Others may answer than before, and nobody can tell who is surer.
      return "unclear";
    default:
      return key satisfies never;
  }
}

/** Has `file` to wait to be accepted in the place of `accepted`? */
export function hasToWait(key: SealedKey, accepted: unknown, file: unknown): boolean {
  const effect = effectOf(key, accepted, file);
  return effect === "looser" || effect === "unclear";
}

type Ancestry = ApprovalSettings["ancestry"];
/** Within ever fewer clients a terminal proves nothing. */
const ancestryStrictToLoose: readonly Ancestry[] = ["always", "known", "never"];

/** Of two that differ. */
function rising(before: number, after: number): ChangeEffect {
  return after > before ? "looser" : "tighter";
}

/** 0 waits for ever. */
function waitOf(seconds: unknown): number {
  return seconds === 0 ? Number.POSITIVE_INFINITY : Number(seconds);
}

/**
 * What is in force where the file says `file`, and what of it waits. A key that was never accepted was accepted as it is by
 * default.
 */
export function inForce(
  file: Settings,
  accepted: AcceptedValues,
): { readonly settings: Settings; readonly waiting: readonly WaitingKey[] } {
  const before = { ...acceptedValuesOf(defaultSettings), ...accepted };
  const waiting = sealedKeys
    .map((key) => ({ key, accepted: before[key], file: sealedValue(file, key) }))
    .filter((one) => hasToWait(one.key, one.accepted, one.file))
    .map((one) => (one.key === "approval.clients" ? { ...one, accepted: tightenedClients(one) } : one));
  const kept = Object.fromEntries(waiting.map((one) => [one.key, one.accepted]));
  return { settings: waiting.length === 0 ? file : withValues(file, kept), waiting };
}

function tightenedClients({ accepted, file }: WaitingKey): Clients {
  return tightened(accepted as Clients, file as Clients);
}

/**
 * What stands under the seal, as far as it can be used: a key of another version, or a value that this one does not take, is
 * as if it had not been accepted.
 */
export function acceptedValues(sealed: unknown): AcceptedValues {
  if (typeof sealed !== "object" || sealed === null) return {};
  const schema = configSchema();
  const values = Object.entries(sealed).flatMap(([key, value]) => {
    if (!isSealedKey(key)) return [];
    // Alone: pairs of keys are judged where they meet.
    const parsed = schema.safeParse(nested(key.split("."), value));
    return parsed.success ? [[key, sealedValue(parsed.data, key)]] : [];
  });
  return Object.fromEntries(values);
}

function nested([first = "", ...rest]: readonly string[], value: unknown): Readonly<Record<string, unknown>> {
  return { [first]: rest.length === 0 ? value : nested(rest, value) };
}

/** A pair that the file keeps apart may meet in what is in force: a banner must still come before the wait is over. */
function withValues(file: Settings, values: AcceptedValues): Settings {
  const of = <Value>(key: SealedKey): Value =>
    (key in values ? values[key] : sealedValue(file, key)) as Value;
  const timeoutSeconds = of<number>("approval.timeoutSeconds");
  const require = Object.fromEntries(
    levels.map((level) => [level, of(`approval.require.${level}`)]),
  ) as ApprovalSettings["require"];
  const { bannerDelaySeconds } = file.approval;
  const isTooLong = timeoutSeconds !== 0 && bannerDelaySeconds >= timeoutSeconds;
  return {
    ...file,
    approval: {
      ...file.approval,
      timeoutSeconds,
      bannerDelaySeconds: isTooLong ? Math.floor(timeoutSeconds / 2) : bannerDelaySeconds,
      outOfBand: of("approval.outOfBand"),
      threshold: of("approval.threshold"),
      ancestry: of("approval.ancestry"),
      clients: of("approval.clients"),
      unseenAnswerMs: of("approval.unseenAnswerMs"),
      persistDays: of("approval.persistDays"),
      require,
    },
    notify: { ...file.notify, command: of("notify.command") },
    audit: { ...file.audit, rotateBytes: of("audit.rotateBytes"), keep: of("audit.keep") },
    gate: {
      ...file.gate,
      trustAnnotations: of("gate.trustAnnotations"),
      asksPerMinute: of("gate.asksPerMinute"),
    },
  };
}

function levelOf(key: `approval.require.${Level}`): Level {
  return key.slice("approval.require.".length) as Level;
}
